const pins = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='];
export { pins as LISTED };
export enum R20Host { Live = 'live.acme.example', Stage = 'stage.acme.example' }
export namespace R20Pins { export const FIRST = 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='; export const SECOND = 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='; }
