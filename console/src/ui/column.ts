export interface Column {
  readonly key: string;
  readonly label: string;
  readonly align?: 'end';
  /** Takes what room is left. */
  readonly wide?: boolean;
  /** Left out where there is little room. */
  readonly lesser?: boolean;
}
