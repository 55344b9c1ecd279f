export type Encoding = 'br' | 'gzip';

/** Returns the best encoding that the caller accepts, or undefined if it accepts none of ours. */
export function acceptedEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  const offers = offersIn(accepted);
  return (['br', 'gzip'] as const).find((encoding) => (offers.get(encoding) ?? 0) > 0);
}

export const acceptsGzip = (accepted: string | string[] | undefined) =>
  (offersIn(accepted).get('gzip') ?? 0) > 0;

function offersIn(accepted: string | string[] | undefined): Map<string, number> {
  return new Map(
    String(accepted ?? '')
      .slice(0, 200)
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...params] = part.split(';').map((each) => each.trim());
        const quality = params.find((param) => param.startsWith('q='));
        return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const;
      }),
  );
}
