const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The rule of security/account-key.ts as SQL. Replaces each letter because LOWER() folds more than ASCII on MariaDB. */
export function accountKeySql(column: string): string {
  const folded = [...letters].reduce(
    (sql, letter) => `replace(${sql}, '${letter}', '${letter.toLowerCase()}')`,
    column,
  );
  return `trim(${folded})`;
}
