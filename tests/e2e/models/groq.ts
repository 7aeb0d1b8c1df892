import type { BrowserContext } from 'playwright-core';

/** The key that the stand-in takes. */
export const GROQ_KEY = 'gsk_right';

/**
 * Answers for Groq inside of the worker, since no test can have a certificate for its host; any other request goes on
 * its way. Lasts as long as the worker.
 */
export async function standInForGroq(context: BrowserContext): Promise<void> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate((key) => {
    const real = globalThis.fetch;
    const models = ['whisper-large-v3', 'llama-x', 'openai/gpt-oss-120b'].map((id) => ({ id }));
    const choice = { index: 0, delta: { content: 'Hello from Groq.' }, finish_reason: 'stop' };
    globalThis.fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.startsWith('https://api.groq.com/')) return real(input, init);
      if (new Headers(init?.headers).get('authorization') !== `Bearer ${key}`)
        return Response.json({ error: { message: 'Invalid API Key' } }, { status: 401 });
      if (url.endsWith('/models')) return Response.json({ data: models });
      return new Response(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      });
    };
  }, GROQ_KEY);
}
