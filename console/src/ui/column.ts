export interface Column {
  readonly key: string;
  readonly label: string;
  readonly align?: 'end';
  /** Takes what room is left. */
  readonly wide?: boolean;
  /** Its label is read out, not shown: the cells say what they are. */
  readonly unlabelled?: boolean;
  /** Left out where there is little room. */
  readonly lesser?: boolean;
}
