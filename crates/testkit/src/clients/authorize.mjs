// The official TypeScript client: finds the authorization server by the resource's metadata, registers, gets a token by
// the authorization-code flow with PKCE, and works in a session. The user's browser is played: log in, agree.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, page, user] = process.argv.slice(2);
const told = { user };
const redirect = 'http://127.0.0.1:9/callback';

const kept = {};
const authProvider = {
  redirectUrl: redirect,
  clientMetadata: { client_name: 'test', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  redirectToAuthorization: (address) => { kept.address = address; },
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  codeVerifier: () => kept.verifier,
};

async function asUser(address) {
  const cookies = new Map();
  let request = { address, init: {} };
  for (let step = 0; step < 20; step += 1) {
    const headers = { ...request.init.headers, cookie: [...cookies].map(([k, v]) => `${k}=${v}`).join('; ') };
    const answer = await fetch(request.address, { ...request.init, headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0].split(/=(.*)/s);
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next) {
      const target = new URL(next, request.address);
      if (target.href.startsWith(redirect)) return target.searchParams.get('code') ?? target.href;
      request = { address: target, init: {} };
      continue;
    }
    const form = await answer.text();
    const action = form.match(/action="([^"]+)"/)?.[1];
    const prompt = form.match(/name="prompt" value="([^"]+)"/)?.[1];
    if (!action) throw new Error(`no form: ${answer.status} ${form.slice(0, 500)}`);
    request = {
      address: new URL(action, request.address),
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ prompt, login: user, password: 'any' }),
      },
    };
  }
  throw new Error('the authorization server asks for ever');
}

const connected = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, transport };
};

const first = new StreamableHTTPClientTransport(new URL(url), { authProvider });
try {
  await new Client({ name: 'test', version: '1' }).connect(first);
  throw new Error('let in without a token');
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
}
told.resource = kept.address.searchParams.get('resource');
told.scope = kept.address.searchParams.get('scope');
told.challenge = kept.address.searchParams.get('code_challenge_method');
await first.finishAuth(await asUser(kept.address));
told.token = kept.tokens.access_token;

const { client } = await connected();
told.tools = (await client.listTools()).tools.length;
const json = (result) => JSON.parse(result.content[0].text);
told.session = json(await client.callTool({ name: 'create_session', arguments: {} })).sessionId;
const seen = await client.callTool({ name: 'navigate', arguments: { sessionId: told.session, url: page } });
told.page = seen.content[0].text;
told.sessions = json(await client.callTool({ name: 'list_sessions', arguments: {} })).sessions.length;
told.closed = json(await client.callTool({ name: 'close_session', arguments: { sessionId: told.session } })).closed;
await client.close();
console.log(JSON.stringify(told));
