import { type Command, Option } from 'commander'
import { repeated } from '../command-options.ts'
import { programSeconds } from '../seconds.ts'

/** The options of a command that runs the functions of packages. */
export interface RunnerOptions {
  readonly allowExec?: boolean
  readonly function?: readonly string[]
  readonly imagePrefix?: string
  readonly functionTimeout?: number
  readonly builtin?: 'any-version'
  readonly allowContainers?: boolean
  readonly allowNetwork?: readonly string[]
  /** False with --no-cache. */
  readonly cache?: boolean
}

/** Adds the options about the runners of functions to a command. */
export function addRunnerOptions(command: Command): Command {
  return command
    .option('--allow-exec', 'run programs of this machine: those that a Kptfile names with exec, and those of --function')
    .option('--function <image=program>', 'a program that runs the functions of an image; may be repeated', repeated)
    .option('--allow-containers', 'run images that are not built in with docker, podman or nerdctl, as KRM_FN_RUNTIME says')
    .option('--allow-network <image>', 'an image whose containers may use the network; may be repeated', repeated)
    .option('--no-cache', 'call every function in a container again, and keep no answers')
    .addOption(
      new Option('--builtin <versions>', 'run images of versions that are not built in with the nearest older version, and warn').choices([
        'any-version',
      ]),
    )
    .option('--image-prefix <prefix>', 'where images without a slash are; default: KPT_IMAGE_PREFIX, else that of kpt')
    .option('--function-timeout <seconds>', 'how long one call of a program or container may take; default: 300', programSeconds)
}
