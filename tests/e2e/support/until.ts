/** Asks `condition` again and again until it holds; `expect.poll` does not work in tests that run at the same time. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`In ${timeoutMs} ms it did not happen: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
