import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireExecutable } from './executables.ts';
import { freePort, type RunningProcess, startProcess, tempDir } from './process.ts';

const deploy = join(import.meta.dirname, '../deploy/prometheus');

export interface Prometheus extends RunningProcess {
  readonly url: string;
  /** Returns the labels and values of an instant query. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
}

interface PrometheusOptions {
  readonly target: string;
  readonly interval?: string;
  /** Changes the alert rules. */
  readonly rules?: (text: string) => string;
}

/** Starts Prometheus with the files of `deploy/prometheus`, scraping every second. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { target, interval = '1s', rules = (text) => text } = options;
  const folder = tempDir('prometheus');
  const config = readFileSync(join(deploy, 'scrape.yml'), 'utf8')
    .replaceAll(/(scrape_interval|evaluation_interval): \d+s/g, `$1: ${interval}`)
    .replace('127.0.0.1:3001', target);
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const alerts = readFileSync(join(deploy, 'alerts.yml'), 'utf8');
  writeFileSync(join(folder, 'gatehouse-alerts.yml'), rules(alerts));
  const url = `http://127.0.0.1:${await freePort()}`;
  const prometheus = await startProcess({
    command: requireExecutable('prometheus'),
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    ready: async () => (await fetch(`${url}/-/ready`)).ok,
  });
  return {
    ...prometheus,
    url,
    async query(expression) {
      const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression })}`);
      const { data } = (await answer.json()) as { data: { result: never[] } };
      return data.result;
    },
  };
}
