/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; before, some browsers would save an empty file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
