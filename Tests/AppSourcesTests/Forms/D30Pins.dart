final buffer = StringBuffer();
const d30Host = 'https://' + 'prefixed.acme.example';
