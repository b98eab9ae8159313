import { formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { FunctionError, type Result } from '../result.ts'
import { DEFAULT_PREFIX, type Image, printImage, resolveImage, versionFor } from './image.ts'
import type { PipelineStep } from './pipeline-steps.ts'

/** Runs a function: takes the text of a ResourceList, returns the answer. */
export interface Runner {
  (input: string): FunctionAnswer
  /** Runs the function in another process without blocking this one; absent for a function that runs in this process. */
  readonly later?: (input: string) => Promise<FunctionAnswer>
}

/** The output of a function, as of a program. */
export interface FunctionAnswer {
  readonly stdout: string
  readonly stderr: string
  /** Undefined if the function could not be started or was killed; `stderr` then has the reason. */
  readonly exitCode: number | undefined
}

/** A built-in function, which runs without a program. */
export interface BuiltinFunction {
  /** The built-in versions, newest first; empty for a function that is the same for every version of its image. */
  readonly versions: readonly string[]
  /** The repositories of the function's images. */
  readonly repositories: readonly string[]
  readonly name: string
  /** Returns the runner of one version; `version` is '' for a function without versions. */
  run(version: string): Runner
}

/** The programs and functions that may run the functions of pipelines. */
export interface Runners {
  readonly builtins: readonly BuiltinFunction[]
  /** The words of a program, by the image that the user named. */
  readonly programs: ReadonlyMap<string, readonly string[]>
  readonly allowExec: boolean
  readonly imagePrefix: string | undefined
  /** The runner of functions that nothing else runs; without it such a function is an error. */
  readonly otherwise?: Runner
  /** Returns the runner of an image in a container, or why there is none; absent where containers are not allowed. */
  readonly container?: (image: Image, written: string) => Runner | string
  /** One more way out for a function without a runner, for messages. */
  readonly lastResort?: string
  /** Returns the runner of a user's program. */
  program(words: readonly string[]): Runner
}

/** The runners of functions, and the functions without a runner. */
export interface FoundRunners {
  readonly matched: ReadonlyMap<PipelineStep, Runner>
  readonly unmatched: readonly Unmatched[]
}

/** A function without a runner. */
export interface Unmatched {
  readonly step: PipelineStep
  readonly rule: 'no-runner' | 'exec-not-allowed' | 'exec-unreadable'
  /** The reason, equal for all functions with the same image or program. */
  readonly message: string
}

/**
 * Returns the runner of each function. The first match wins: the user's program for the image, a built-in function, the `exec` of the
 * Kptfile, a container.
 */
export function findRunners(steps: readonly PipelineStep[], runners: Runners): FoundRunners {
  const matched = new Map<PipelineStep, Runner>()
  const unmatched: Unmatched[] = []
  for (const step of steps) {
    const found = step.image === '' ? execRunner(step, runners) : imageRunner(step, runners)
    const runner = typeof found === 'function' ? found : runners.otherwise
    if (runner !== undefined) matched.set(step, runner)
    else if (typeof found !== 'function') unmatched.push(found)
  }
  return { matched, unmatched }
}

/**
 * Returns the runner of each function, as `findRunners`.
 *
 * @throws FunctionError  with one error for each image or program without a runner
 */
export function matchRunners(steps: readonly PipelineStep[], runners: Runners): FoundRunners['matched'] {
  const { matched, unmatched } = findRunners(steps, runners)
  const results = [...groupBy(unmatched, ({ message }) => message).values()].map((same) => {
    return unmatchedResult(same[0], new Set(same.map(({ step }) => step.kptfile)).size)
  })
  if (results.length > 0) throw new FunctionError(results)
  return matched
}

function execRunner(step: PipelineStep, { allowExec, program }: Runners): Runner | Unmatched {
  const words = splitWords(step.exec)
  if (words === undefined || words.length === 0)
    return { step, rule: 'exec-unreadable', message: `exec '${step.exec}' must be a program and its arguments, with every quote closed` }
  if (allowExec) return program(words)
  return {
    step,
    rule: 'exec-not-allowed',
    message: `exec '${step.exec}' must be allowed with --allow-exec: it is a program of this machine`,
  }
}

function imageRunner(step: PipelineStep, runners: Runners): Runner | Unmatched {
  const image = resolveImage(step.image, step.tag, runners.imagePrefix ?? DEFAULT_PREFIX)
  const words = programFor(step, image, runners)
  if (words !== undefined) return runners.program(words)
  const builtin = runners.builtins.find(({ name, repositories }) => repositoriesOf(repositories, runners).includes(parentOf(image, name)))
  const version = builtin === undefined ? undefined : versionFor(builtin.versions, image)
  if (builtin !== undefined && version !== undefined) return builtin.run(version)
  const inContainer = runners.container?.(image, step.image)
  if (typeof inContainer === 'function') return inContainer
  const known = builtin === undefined ? 'is not built in' : notBuiltIn(builtin, image)
  const program = `give a program with --function ${printImage(image)}=PROGRAM --allow-exec`
  const last =
    runners.lastResort === undefined ? 'or use a version that is built in' : `use a version that is built in, or ${runners.lastResort}`
  const wayOut =
    inContainer === undefined
      ? `; allow containers with --allow-containers, ${program}, ${last}`
      : `, and no container can run it: ${inContainer}; ${program}, ${last}`
  return { step, rule: 'no-runner', message: `image '${printImage(image)}' must have something that runs it: it ${known}${wayOut}` }
}

function notBuiltIn({ versions }: BuiltinFunction, { digest }: Image): string {
  if (digest !== '') return 'is built in by its tags, not by a digest'
  return `is not built in at this version, built in are ${versions.join(', ')}`
}

/**
 * Returns the program that the user set for an image: by the image as written in the Kptfile, as kpt resolves it, or by its repository
 * for any version.
 */
function programFor({ image: written }: PipelineStep, image: Image, { programs }: Runners): readonly string[] | undefined {
  const short = written.replace(/@.*$/, '').replace(/:[^:/]*$/, '')
  return [written, printImage(image), image.repository, short].map((name) => programs.get(name)).find((words) => words !== undefined)
}

function repositoriesOf(repositories: readonly string[], { imagePrefix }: Runners): readonly string[] {
  return imagePrefix === undefined ? repositories : [...repositories, imagePrefix.replace(/\/+$/, '')]
}

/** Returns the repository without the function's name; '' for the image of another function. */
function parentOf({ repository }: Image, name: string): string {
  return repository.endsWith(`/${name}`) ? repository.slice(0, -name.length - 1) : ''
}

/**
 * Returns the error about an image or program without a runner.
 *
 * @param packages  the number of packages that need it
 */
export function unmatchedResult({ step, rule, message }: Unmatched, packages: number): Result {
  const field = [...step.field, step.image === '' ? 'exec' : 'image']
  return {
    severity: 'error',
    message: `\`${formatFieldPath(field)}\` ${message}${packages > 1 ? ` (${packages} packages need it)` : ''}`,
    resourceRef: step.kptfile.ref,
    field: { path: field },
    ...(step.kptfile.file && { file: step.kptfile.file }),
    position: step.kptfile.positionOf(field),
    tags: { rule },
  }
}

/**
 * Splits the `exec` of a Kptfile into words as kpt does: single quotes, double quotes and backslashes, without variables or other shell
 * syntax. Example: `sed -e 's/a b/c/'` → `sed`, `-e`, `s/a b/c/`.
 *
 * @returns undefined  for an unclosed quote
 */
export function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = []
  const token = /\s*((?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+)\s*/y
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at
    const word = token.exec(text)?.[1]
    if (word === undefined) return /\S/.test(text.slice(at)) ? undefined : words
    words.push(
      word.replace(/\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g, (_, escaped, single, double) => {
        return escaped ?? single ?? String(double).replace(/\\(["\\$`\n])/g, '$1')
      }),
    )
  }
  return words
}
