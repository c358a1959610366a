// A real authorization server on loopback: oidc-provider, with resource indicators (RFC 8707), dynamic registration and
// PKCE. Whoever logs in is whom they say they are. Says on stderr where it listens.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer();
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const lifetime = Number(process.env.LIFETIME ?? 600);

const provider = new Provider(issuer, {
  clients: [
    // Machines: two that may execute, and one that may not.
    ...['alice', 'bob', 'reader'].map((name) => ({
      client_id: name,
      client_secret: `${name}-secret`,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
  ],
  scopes: ['openid', 'offline_access', 'mcp:execute', 'mcp:read'],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  pkce: { required: () => true },
  clientBasedCORS: () => true,
  features: {
    devInteractions: { enabled: true },
    clientCredentials: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_, __, oneOf) => oneOf,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'mcp:execute mcp:read',
        audience: resource,
        accessTokenTTL: lifetime,
        accessTokenFormat: 'jwt',
      }),
    },
  },
});
server.on('request', provider.callback());
// Its words go where they are read.
console.log = console.info = console.error;
console.error(`Listening on ${issuer}`);
// It ends with whoever started it.
process.stdin.resume().on('end', () => process.exit(0));
