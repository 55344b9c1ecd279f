interface MailPage {
  readonly language: string;
  readonly gameName: string;
  /** HTML. */
  readonly content: string;
}

/** Renders a mail as self-contained HTML. */
export function mailPage({ language, gameName, content }: MailPage): string {
  return `<!doctype html>
<html lang="${language}">
<body style="margin:0;background:#f2efe9;font-family:-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif;color:#2b2520">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#fff;border-radius:12px">
<tr><td style="padding:24px 32px;background:#17130f;border-radius:12px 12px 0 0;color:#e9b45c;font-size:18px;font-weight:600">${escapeHtml(gameName)}</td></tr>
<tr><td style="padding:28px 32px">
${content}
</td></tr></table></td></tr></table>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
