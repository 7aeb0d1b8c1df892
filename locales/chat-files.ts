/** What stands in an exported chat besides what was said in it. */
export const chatFiles = {
  you: 'You',
  assistant: 'Assistant',
  summary: 'Summary of what came before',
  untitled: 'Untitled chat',
  /** In the person's own time. */
  moment: (iso: string): string =>
    new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
  begun: (moment: string): string => `Begun ${moment}`,
  attached: 'Attached',
  reasoning: 'Reasoning',
  tool: (tool: string, server: string, status: string): string =>
    `Tool ${tool}${server === '' ? '' : ` (${server})`}: ${status}`,
  arguments: 'Arguments',
  result: 'Result',
  pictures: (count: number): string => (count === 1 ? 'One picture' : `${count} pictures`),
  isPartial: 'The answer ends here: it was stopped or broke off.',
};
