export function initializeSslPinning(options: any) { console.log(options); }
