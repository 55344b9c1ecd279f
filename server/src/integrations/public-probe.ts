const TIMEOUT_MS = 3000;

export interface PublicAnswer {
  readonly status: number;
  readonly isOurs: boolean;
}

/** Asks the service for one path at the address that browsers use. Rejects when nobody answers there. */
export async function askPublicly(publicUrl: string, path: string): Promise<PublicAnswer> {
  const response = await fetch(new URL(path, publicUrl), {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return { status: response.status, isOurs: response.headers.has('x-request-id') };
}
