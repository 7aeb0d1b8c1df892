import {
  call,
  type RecordedRequest,
  type Reply,
  startModelServer,
  stream,
  text,
} from '../fakes/model-server.ts';

type Asked = { content: string; tools: string[]; reply: (reply: Reply) => void };

/** A model whose calls are made by the steps of a case, one after another, as it reads what came of each. */
export async function startStepModel() {
  const server = await startModelServer();
  const waiting: ((asked: Asked) => void)[] = [];
  server.otherwise(
    ({ body }: RecordedRequest) =>
      new Promise<Reply>((reply) => {
        const content = body.messages.at(-1)?.content ?? '';
        const tools = body.tools?.map((tool) => tool.function.name) ?? [];
        waiting.shift()?.({ content, tools, reply });
      }),
  );
  const nextRequest = () => new Promise<Asked>((resolve) => waiting.push(resolve));
  let count = 0;
  let now: Promise<Asked> | undefined;
  return {
    url: server.url,
    close: server.close,
    /** The next run's first request is the first of this case, whatever became of the one before. */
    begin(): void {
      waiting.length = 0;
      now = nextRequest();
    },
    /** Makes a call, and waits for its result, as the model reads it. */
    async call(name: string, args: object): Promise<string> {
      const asked = await now;
      count += 1;
      const next = nextRequest();
      now = next;
      asked?.reply(stream(call({ id: `call_${count}`, name, arguments: JSON.stringify(args) })));
      return (await next).content;
    },
    /** Answers, which ends the run. */
    async end(): Promise<void> {
      waiting.length = 0;
      (await now)?.reply(stream(text('Done.')));
      now = undefined;
    },
  };
}

export type StepModel = Awaited<ReturnType<typeof startStepModel>>;
