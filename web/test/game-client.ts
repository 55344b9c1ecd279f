import { createServer } from 'node:http';

/** A minimal game client: reports ready and shows what it received. */
const page = `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8"><title>game client</title>
<main><h1>游戏画面</h1><pre id="received"></pre><button id="leave">离开</button></main>
<script>
  const show = (received) => { document.getElementById('received').textContent = JSON.stringify(received); };
  if (location.hash) show(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  addEventListener('message', ({ data, origin }) => { if (data.type === 'gatehouse:enter') show({ ...data, origin }); });
  document.getElementById('leave').onclick = () => parent.postMessage({ type: 'gatehouse:leave' }, '*');
  if (parent !== window) parent.postMessage({ type: 'gatehouse:ready' }, '*');
</script>
</html>`;

/** Serves the client from its own origin, and records every requested URL. */
export async function startGameClient() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the game client has no port');
  return {
    url: `http://127.0.0.1:${address.port}/client/`,
    requests,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
