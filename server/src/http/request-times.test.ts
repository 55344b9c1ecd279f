import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { requestTimes } from './request-times.ts';

test('when requests are observed, then the registry has a histogram by route, method and status', async () => {
  const registry = new Registry();
  const observe = requestTimes(registry);
  observe('/api/login', 'POST', 200, 0.5);
  observe('/api/login', 'POST', 200, 300);
  observe('/api/login', 'POST', 401, 20_000);

  const text = await registry.metrics();
  const labels = 'route="/api/login",method="POST"';
  expect(text).toContain('# TYPE gatehouse_http_request_seconds histogram');
  for (const line of [
    `_bucket{le="0.001",${labels},status="200"} 1`,
    `_bucket{le="0.1",${labels},status="200"} 1`,
    `_bucket{le="0.5",${labels},status="200"} 2`,
    `_bucket{le="+Inf",${labels},status="200"} 2`,
    `_sum{${labels},status="200"} 0.3005`,
    `_count{${labels},status="200"} 2`,
    `_bucket{le="10",${labels},status="401"} 0`,
    `_bucket{le="+Inf",${labels},status="401"} 1`,
  ])
    expect(text).toContain(`gatehouse_http_request_seconds${line}\n`);
});
