export interface Column {
  readonly key: string;
  readonly label: string;
  readonly align?: 'end';
  /** Takes the remaining width. */
  readonly wide?: boolean;
  /** The label is visually hidden, because the cells are self-explanatory. */
  readonly unlabelled?: boolean;
  /** Hidden if there is little room. */
  readonly lesser?: boolean;
}
