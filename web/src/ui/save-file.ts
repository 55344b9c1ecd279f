/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoke late: some browsers would save an empty file before the download has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
