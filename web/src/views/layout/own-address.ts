/** Returns the address of one of our paths. By itself, a path that begins with two slashes names another host. */
export const ownAddress = (path: string, { origin }: Pick<Location, 'origin'>): string => origin + path;
