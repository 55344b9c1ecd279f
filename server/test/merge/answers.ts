/** What an answer says about the zone named in the request. */
export type Meaning = 'untouched' | 'itself' | 'merged' | 'in maintenance' | 'just merged' | 'untrue';

export interface Observation {
  readonly meaning: Meaning;
  readonly note: string;
  /** Times of the request and its answer, in ms. */
  readonly began: number;
  readonly ended: number;
}

/** When the merged zone changed: from the action until every instance must know. */
export interface Moments {
  readonly maintenance: number | undefined;
  readonly merge: number;
  readonly known: number;
}

/** Returns the observations that were not true at any moment between request and answer. */
export function untrueAnswers(observations: readonly Observation[], moments: Moments): Observation[] {
  const { maintenance = Number.POSITIVE_INFINITY, merge, known } = moments;
  const isTrue = ({ meaning, began, ended }: Observation) => {
    if (meaning === 'untouched') return true;
    if (meaning === 'itself') return began < known;
    if (meaning === 'merged') return ended > merge;
    if (meaning === 'in maintenance') return ended > maintenance && began < known;
    return meaning === 'just merged' && ended > merge && began < known;
  };
  return observations.filter((observation) => !isTrue(observation));
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  readonly body: any;
}

/** Classifies an answer to a request that named zone `named` and that concerns zone `answeredZone`. */
export function meaningOf(
  { status, body }: Answer,
  named: number,
  answeredZone: number | undefined,
): Meaning {
  if (status < 300) {
    const here = named === 1 ? 'itself' : 'untouched';
    if (answeredZone === named) return body.origin_server_id === undefined ? here : 'untrue';
    return answeredZone === 2 && named === 1 && (body.origin_server_id ?? 1) === 1 ? 'merged' : 'untrue';
  }
  if (status === 503 && body.code === 'server_closed' && named === 1) return 'in maintenance';
  return status === 503 && body.code === 'unavailable' && named === 1 ? 'just merged' : 'untrue';
}
