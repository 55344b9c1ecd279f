const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The rule of security/account-key.ts as an SQL expression. LOWER() folds more than ASCII on MariaDB, so each letter is replaced. */
export function accountKeySql(column: string): string {
  const folded = [...letters].reduce(
    (sql, letter) => `replace(${sql}, '${letter}', '${letter.toLowerCase()}')`,
    column,
  );
  return `trim(${folded})`;
}
