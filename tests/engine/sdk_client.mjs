// A client made of the official TypeScript SDK: node sdk_client.mjs PAGE URL | PAGE COMMAND WORD…
// Prints what it saw as one JSON object. SDK is the SDK's folder, TOKEN the bearer token.
import {pathToFileURL} from 'node:url';

const part = (name) => import(pathToFileURL(`${process.env.SDK}/dist/esm/client/${name}.js`));
const {Client} = await part('index');
const [page, target, ...words] = process.argv.slice(2);

async function transport() {
  if (!target.startsWith('http')) {
    const {StdioClientTransport} = await part('stdio');
    return new StdioClientTransport({command: target, args: words, env: process.env});
  }
  const {StreamableHTTPClientTransport} = await part('streamableHttp');
  const headers = {Authorization: `Bearer ${process.env.TOKEN}`};
  return new StreamableHTTPClientTransport(new URL(target), {requestInit: {headers}});
}

const client = new Client({name: 'test', version: '1'});
await client.connect(await transport());
const tools = (await client.listTools()).tools.map((tool) => tool.name);

async function execute(command, group_id, more = {}) {
  const given = {command, group_id, ...more};
  const reply = await client.callTool({name: 'domshell_execute', arguments: given});
  return reply.content[0].text;
}

const first = await execute('pwd', 'new', {initial_url: page});
const lane = first.match(/\[lane: (\d+)\]$/)[1];
const listed = await execute('ls', lane);
await execute('group close', lane);
await client.close();
console.log(JSON.stringify({tools, first, listed}));
