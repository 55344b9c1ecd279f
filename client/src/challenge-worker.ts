import { search } from './search.ts';

const scope = globalThis as unknown as {
  onmessage: (event: { data: Parameters<typeof search>[0] }) => void;
  postMessage(found: number | null): void;
};

scope.onmessage = async ({ data }) => scope.postMessage(await search(data));
