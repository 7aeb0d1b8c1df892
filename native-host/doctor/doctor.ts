import { type DoctorStep, type NativeReply } from '../../lib/types/native-host.ts';
import { checkStep } from '../../locales/check-steps.ts';
import { partsOf } from '../arguments.ts';
import { foldersOf } from '../install/folders.ts';
import { LAUNCHER } from '../install/launcher.ts';
import { pathsOf, type Machine } from '../install/machine.ts';
import { checkInstallation } from './installation.ts';
import { shakeHands, type Answering } from './handshake.ts';
import { t } from '../../locales/texts/terminal.ts';
import { units } from '../../locales/units.ts';

export type Report = { title?: string; steps: (DoctorStep & { cause?: string })[] };

/** Looks at each part in turn: what was installed, the handshake, and each server (a command line). */
export async function* runDoctor(
  machine: Machine,
  version: string,
  servers: string[],
): AsyncGenerator<Report> {
  const steps = checkInstallation(machine, version);
  yield { steps };
  const launcher = pathsOf(machine).join(foldersOf(machine).portside, LAUNCHER[machine.system]);
  if (!machine.exists(launcher)) return;
  const host = await shakeHands(launcher).catch((error: Error) => error);
  if (host instanceof Error) {
    yield {
      steps: [
        {
          ok: false,
          text: t(($) => $.doctor.noHandshake, { why: host.message }),
          fix: t(($) => $.doctor.noHandshakeFix),
        },
      ],
    };
    return;
  }
  yield {
    steps: [
      { ok: true, text: t(($) => $.doctor.handshake, { version: host.about.version }) },
      ...policyStep(host),
    ],
  };
  try {
    for (const server of servers) yield { title: server, steps: await checkServer(host, server) };
  } finally {
    host.close();
  }
}

function policyStep({ about: { policy } }: Answering): DoctorStep[] {
  if (!policy) return [];
  const { file, commands, problem } = policy;
  if (problem === undefined)
    return [
      {
        ok: true,
        text:
          commands.length > 0
            ? t(($) => $.doctor.policy, { file, commands: units.commas(commands) })
            : t(($) => $.doctor.policyOfNothing, { file }),
      },
    ];
  return [
    {
      ok: false,
      text: t(($) => $.doctor.brokenPolicy, { file, problem }),
      fix: t(($) => $.doctor.brokenPolicyFix),
    },
  ];
}

async function checkServer(host: Answering, server: string): Promise<Report['steps']> {
  const [command = '', ...args] = partsOf(server);
  const reply: NativeReply | Error = await host
    .ask({ type: 'check', launch: { command, args, env: {} } })
    .catch((error: Error) => error);
  if (reply instanceof Error)
    return [{ ok: false, text: t(($) => $.doctor.noHandshake, { why: reply.message }) }];
  if (reply.type !== 'steps') return [{ ok: false, text: 'why' in reply ? reply.why : reply.type }];
  return reply.steps.map((step) => ({ ok: step.ok, ...checkStep(step) }));
}
