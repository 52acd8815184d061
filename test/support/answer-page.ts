// A person with the page open: reads it, fills the form in, presses a button. No browser, but the same requests.

/** A page as a person sees it. */
export type Page = { status: number; url: string; html: string; text: string };

export async function openPage(url: string): Promise<Page> {
  return seen(await fetch(url));
}

/** Fills in and sends the form whose hidden or named fields include `answer`; follows the redirect like a browser. */
export async function submit(page: Page, fields: Record<string, string>): Promise<Page> {
  const form = new URLSearchParams({ ...hiddenFields(page.html), ...fields });
  const posted = await fetch(page.url, { method: 'POST', body: form, redirect: 'manual', headers: { 'sec-fetch-site': 'same-origin' } });
  const location = posted.headers.get('location');
  if (posted.status !== 303 || location === null) return seen(posted, page.url);
  return openPage(new URL(location, page.url).href);
}

async function seen(answer: Response, url = answer.url): Promise<Page> {
  const html = await answer.text();
  return { status: answer.status, url, html, text: visibleText(html) };
}

/** Hidden fields that every form of the page carries (the first of each name). */
export function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    const value = /value="([^"]*)"/.exec(input)?.[1] ?? '';
    if (name !== undefined && !(name in fields)) fields[name] = decode(value);
  }
  return fields;
}

function visibleText(html: string): string {
  const body = html.replace(/<(style|title|head)[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]+>/g, ' ');
  return decode(body).replace(/\s+/g, ' ').trim();
}

const decode = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
