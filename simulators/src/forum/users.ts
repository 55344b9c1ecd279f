export type ForumUser = { id: string; name: string };

export const demoUsers: readonly ForumUser[] = [
  { id: '1001', name: 'Lantern Keeper' },
  { id: '1002', name: '夜雨' },
  { id: '1003', name: 'Night Watch' },
];

/** Gatehouse's registration at a forum. */
export type ForumClient = {
  /** Public URL of Gatehouse, which the callback URL is based on. */
  publicUrl: string;
  clientId?: string;
  clientSecret?: string;
};

export const callbackOf = (publicUrl: string) => new URL('/api/forumauth/callback', publicUrl).href;
