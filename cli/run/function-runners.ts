import { splitWords } from '../../src/pipeline/exec-words.ts'
import { imageNameFault } from '../../src/pipeline/image.ts'
import type { Runners } from '../../src/pipeline/match.ts'
import type { PipelineStep } from '../../src/pipeline/pipeline-steps.ts'
import { CALL_SECONDS, type FunctionOptions, NOTHING_CONFIGURED } from '../../src/render/options.ts'
import { ownBuiltin, packageRunners, type RunnerSettings } from '../../src/render/runs/package-runners.ts'
import { FUNCTIONS } from '../generated/registry.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'
import type { RunnerOptions } from './runner-options.ts'

/**
 * Returns the programs and functions that may run the functions of packages.
 *
 * @param isNamed  returns true for the name of a function of this project that a package may name; others are not loaded
 * @throws UsageError  for an option that is not as it must be
 */
export async function runnersFor(options: RunnerOptions, host: RunnerHost, isNamed: (name: string) => boolean): Promise<Runners> {
  return packageRunners(await runnerSettings(options, host, isNamed))
}

type RunnerHost = Pick<Host, 'locate' | 'environment'>

/**
 * Returns the settings of the runners of functions. Parameters and exceptions as for `runnersFor`.
 *
 * @param configured  what the options of a fleet say; a program of `--function` wins over theirs
 */
export async function runnerSettings(
  options: RunnerOptions,
  host: RunnerHost,
  isNamed: (name: string) => boolean,
  configured: Omit<FunctionOptions, 'mode'> = NOTHING_CONFIGURED,
): Promise<RunnerSettings> {
  const { function: given = [], allowExec = false, imagePrefix, functionTimeout = CALL_SECONDS } = options
  const programs = programsOf(given, allowExec)
  const own = await Promise.all(
    [...FUNCTIONS].filter(([name]) => isNamed(name)).map(async ([name, load]) => ownBuiltin(name, await load())),
  )
  return {
    own,
    programs: new Map([...(allowExec ? configured.programs : []), ...programs]),
    allowExec,
    imagePrefix: prefixOf(imagePrefix ?? host.environment.KPT_IMAGE_PREFIX),
    anyVersion: options.builtin === 'any-version' || configured.anyVersion,
    folder: host.locate('.'),
    environment: host.environment,
    seconds: functionTimeout,
    containers: containersOf(options, configured),
  }
}

/** @throws UsageError  for `--allow-network` where no container is allowed */
function containersOf(
  { allowContainers = false, allowNetwork = [], cache = true }: RunnerOptions,
  configured: Pick<FunctionOptions, 'containers'>,
): RunnerSettings['containers'] {
  const isAllowed = allowContainers || configured.containers
  if (allowNetwork.length > 0 && !isAllowed)
    throw new UsageError('`--allow-network` must come with --allow-containers: it is about the network of containers')
  return isAllowed ? { network: new Set(allowNetwork), keepsAnswers: cache } : undefined
}

/** Returns the names of the functions that steps name by their images. */
export function functionNames(steps: readonly Pick<PipelineStep, 'image'>[]): ReadonlySet<string> {
  return new Set(steps.map(({ image }) => image.replace(/[:@].*$/s, '').replace(/^.*\//s, '')))
}

/** @throws UsageError  for what is no `IMAGE=PROGRAM`, and without --allow-exec */
function programsOf(given: readonly string[], allowExec: boolean): ReadonlyMap<string, readonly string[]> {
  if (given.length > 0 && !allowExec) throw new UsageError('`--function` must come with --allow-exec: it runs a program of this machine')
  return new Map(
    given.map((text) => {
      const at = text.indexOf('=')
      const words = splitWords(text.slice(at + 1)) ?? []
      if (at < 1 || words.length === 0)
        throw new UsageError(`\`--function\` must be IMAGE=PROGRAM, such as gcr.io/kpt-fn/starlark=./starlark, got '${text}'`)
      return [text.slice(0, at), words] as const
    }),
  )
}

/** @throws UsageError  for a prefix that begins no image */
function prefixOf(prefix: string | undefined): string | undefined {
  if (prefix === undefined || prefix === '') return undefined
  const fault = imageNameFault(prefix.replace(/\/+$/, ''))
  if (fault !== undefined) throw new UsageError(`\`--image-prefix\` ${fault}, got '${prefix}'`)
  return prefix
}
