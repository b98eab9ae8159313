import { formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { asQuestion, didYouMean, nearestName } from '../schema/nearest-name.ts'
import { shellWord } from '../shell-word.ts'
import { nameFirst } from '../wording.ts'
import { splitWords } from './exec-words.ts'
import { DEFAULT_PREFIX, type Image, nearestOlder, printImage, resolveImage, versionFor } from './image.ts'
import type { PipelineStep } from './pipeline-steps.ts'

/** Runs a function: takes the text of a ResourceList, returns the answer. */
export interface Runner {
  (input: string): FunctionAnswer
  /** Runs the function in another process without blocking this one; absent for a function that runs in this process. */
  readonly later?: (input: string) => Promise<FunctionAnswer>
  /**
   * Runs the function on a list of documents, which it edits in place, and returns the results; if one is an error, no document has
   * changed. Absent for a function in another process, and for one that reads the places of items or adds items.
   */
  readonly edit?: (list: ResourceList) => readonly Result[]
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
  /** Returns the facts about one version that `check` reports. */
  readonly notes?: (version: string) => BuiltinNotes
  /** Returns the findings of one version about its functionConfig, undefined for none, whatever the resources are. */
  readonly configFindings?: (version: string, config: KrmObject | undefined) => readonly Result[]
}

/** Facts about a version of a built-in function. */
export interface BuiltinNotes {
  /** The keys of a ConfigMap that the function reads; undefined if each key has a meaning. */
  readonly configMapKeys?: readonly string[]
  /** True if the function fails for another key; else it ignores the key. */
  readonly refusesOtherKeys: boolean
  /** The rows of docs/catalog.md with deliberate differences of this version. */
  readonly differences: readonly number[]
}

/** The programs and functions that may run the functions of pipelines. */
export interface Runners {
  readonly builtins: readonly BuiltinFunction[]
  /** The words of a program, by the image that the user named. */
  readonly programs: ReadonlyMap<string, readonly string[]>
  readonly allowExec: boolean
  readonly imagePrefix: string | undefined
  /** True if a built-in function also runs images of other versions: with its nearest older version, and a warning. */
  readonly anyVersion?: boolean
  /** The runner of functions that nothing else runs; without it such a function is an error. */
  readonly otherwise?: Runner
  /** Returns the runner of an image in a container, or why there is none; absent where containers are not allowed. */
  readonly container?: (image: Image, written: string) => Runner | string
  /** The options that give a function a runner, for messages; if unset, those of the command `run`. */
  readonly waysOut?: WaysOut
  /** Returns the runner of a user's program. */
  program(words: readonly string[]): Runner
}

/** The options that give a runner to a function without one. */
export interface WaysOut {
  readonly containers: string
  /** @param image  the image that a program would run */
  program(image: string): string
  /** The last of all ways. */
  readonly last?: string
}

export const OPTIONS_OF_RUN: WaysOut = {
  containers: '--allow-containers',
  program: (image) => `--function ${shellWord(image)}=PROGRAM --allow-exec`,
}

/** The runners of functions, and the functions without a runner. */
export interface FoundRunners {
  readonly matched: ReadonlyMap<PipelineStep, Runner>
  readonly unmatched: readonly Unmatched[]
  /** Functions that another version of a built-in function runs (`anyVersion`). */
  readonly otherVersions: readonly Unmatched[]
}

/** A function without a runner, or without one of its own version. */
export interface Unmatched {
  readonly step: PipelineStep
  readonly rule: 'no-runner' | 'exec-not-allowed' | 'exec-unreadable' | 'other-version'
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
  const otherVersions: Unmatched[] = []
  for (const step of steps) {
    const found = step.image === '' ? execRunner(step, runners) : imageRunner(step, runners, otherVersions)
    const runner = typeof found === 'function' ? found : runners.otherwise
    if (runner !== undefined) matched.set(step, runner)
    else if (typeof found !== 'function') unmatched.push(found)
  }
  return { matched, unmatched, otherVersions }
}

/** The runners of all functions, and a warning at the first function of each image that another version runs. */
export interface MatchedRunners {
  readonly matched: FoundRunners['matched']
  readonly warnings: ReadonlyMap<PipelineStep, Result>
}

/**
 * Returns the runner of each function, as `findRunners`.
 *
 * @throws FunctionError  with one error for each image or program without a runner
 */
export function matchRunners(steps: readonly PipelineStep[], runners: Runners): MatchedRunners {
  const { matched, unmatched, otherVersions } = findRunners(steps, runners)
  const results = resultsByMessage(unmatched)
  if (results.size > 0) throw new FunctionError([...results.values()])
  return { matched, warnings: resultsByMessage(otherVersions) }
}

/** Returns one result for all functions with equal messages, at the first of them. */
function resultsByMessage(found: readonly Unmatched[]): ReadonlyMap<PipelineStep, Result> {
  const groups = [...groupBy(found, ({ message }) => message).values()]
  return new Map(groups.map((same) => [same[0].step, unmatchedResult(same[0], new Set(same.map(({ step }) => step.kptfile)).size)]))
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

function imageRunner(step: PipelineStep, runners: Runners, otherVersions: Unmatched[]): Runner | Unmatched {
  const image = resolveImage(step.image, step.tag, runners.imagePrefix ?? DEFAULT_PREFIX)
  const words = programFor(step, image, runners)
  if (words !== undefined) return runners.program(words)
  const builtin = builtinOf(image, runners)
  const version = builtin === undefined ? undefined : versionFor(builtin.versions, image)
  if (builtin !== undefined && version !== undefined) return builtin.run(version)
  const older = builtin === undefined || runners.anyVersion !== true ? undefined : nearestOlder(builtin.versions, image)
  if (builtin !== undefined && older !== undefined) {
    const message = `image '${printImage(image)}' is not built in at this version: ${older}, the ${image.tag === '' ? 'newest' : 'nearest older one'}, runs in its place`
    otherVersions.push({ step, rule: 'other-version', message })
    return builtin.run(older)
  }
  const inContainer = runners.container?.(image, step.image)
  if (typeof inContainer === 'function') return inContainer
  const known = builtin === undefined ? `is not built in${nearBuiltin(image, runners)}` : notBuiltIn(builtin, image)
  return {
    step,
    rule: 'no-runner',
    message: `image '${printImage(image)}' must have something that runs it: it ${known}${wayOut(image, inContainer, runners, builtin !== undefined)}`,
  }
}

/** Names the image of the built-in function with the nearest name; '' if none is near. */
function nearBuiltin({ repository }: Image, { builtins }: Runners): string {
  const names = builtins.map(({ name }) => name)
  const near = nearestName(repository.replace(/^.*\//s, ''), names)
  const found = builtins.find(({ name }) => name === near)
  if (found === undefined) return ''
  const beside = found.repositories.find((each) => repository.startsWith(`${each}/`)) ?? found.repositories[0]
  return ` (${quoteText(`${beside}/${found.name}`)} is)`
}

/**
 * @param refused     why no container runs the image; undefined where containers are not allowed
 * @param hasVersion  true if versions of the image are built in
 */
function wayOut(image: Image, refused: string | undefined, { waysOut = OPTIONS_OF_RUN }: Runners, hasVersion: boolean): string {
  const { containers, program, last } = waysOut
  const asProgram = `give a program with ${program(printImage(image))}`
  const own = refused === undefined ? [`allow containers with ${containers}`, asProgram] : [asProgram]
  const ways = [...own, ...(hasVersion ? ['use a version that is built in'] : []), ...(last === undefined ? [] : [last])]
  const either = ways.length === 1 ? asProgram : `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}`
  return refused === undefined ? `; ${either}` : `, and no container can run it: ${refused}; ${either}`
}

function builtinOf(image: Image, runners: Runners): BuiltinFunction | undefined {
  return runners.builtins.find(({ name, repositories }) => repositoriesOf(repositories, runners).includes(parentOf(image, name)))
}

/** Returns the built-in function of an image, and its version; undefined for an image of something else or of another version. */
export function builtinVersion(
  { image: written, tag }: Pick<PipelineStep, 'image' | 'tag'>,
  runners: Runners,
): { readonly builtin: BuiltinFunction; readonly version: string } | undefined {
  const image = resolveImage(written, tag, runners.imagePrefix ?? DEFAULT_PREFIX)
  const builtin = builtinOf(image, runners)
  const version = builtin && versionFor(builtin.versions, image)
  return builtin === undefined || version === undefined ? undefined : { builtin, version }
}

function notBuiltIn({ versions }: BuiltinFunction, { digest }: Image): string {
  if (digest !== '') return 'is built in by its tags, not by a digest'
  return `is not built in at this version, built in are ${versions.join(', ')}`
}

/**
 * Returns the program that the user set for an image: by the image as written in the Kptfile, as kpt resolves it, or by its repository
 * for any version.
 */
function programFor(step: PipelineStep, image: Image, { programs }: Runners): readonly string[] | undefined {
  return namesOfImage(step, image)
    .map((name) => programs.get(name))
    .find((words) => words !== undefined)
}

/** Returns the names by which a user may name the image of a step, the most exact first. */
function namesOfImage({ image: written }: PipelineStep, image: Image | undefined): readonly string[] {
  const short = written.replace(/@.*$/, '').replace(/:[^:/]*$/, '')
  return image === undefined ? [written, short] : [written, printImage(image), image.repository, short]
}

/** Returns a warning for each program of the user that runs no function, with the nearest image that a function names. */
export function unusedPrograms(steps: readonly PipelineStep[], runners: Runners): readonly Result[] {
  const named = steps.filter(({ image }) => image !== '')
  const images = named.map((step) => resolveImage(step.image, step.tag, runners.imagePrefix ?? DEFAULT_PREFIX))
  const used = new Set(named.flatMap((step, at) => namesOfImage(step, images[at])))
  const shown = [...new Set(named.map(({ image }) => image))]
  const known = [...new Set([...shown, ...images.map(({ repository }) => repository)])]
  return [...runners.programs.keys()]
    .filter((name) => !used.has(name))
    .map((name): Result => {
      const near = didYouMean(name, known) || sameFunction(name, shown)
      const others = shown.length === 0 ? '; no function names an image' : `; the images are ${nameFirst(shown.map(quoteText), MOST_NAMED)}`
      const message = `\`--function\` must name the image of a function, ${quoteText(name)} is that of none${near || others}`
      return { severity: 'warning', message, tags: { rule: 'program-unused' } }
    })
}

const MOST_NAMED = 5

/** Proposes the image with the same last part: `gcr.io/kpt-fn/set-labels` for `set-labels`. */
function sameFunction(name: string, images: readonly string[]): string {
  const last = (image: string) => image.replace(/[:@].*$/s, '').replace(/^.*\//s, '')
  return asQuestion(
    images.find((image) => last(image) === last(name)) ?? images.find((image) => didYouMean(last(name), [last(image)]) !== ''),
  )
}

function repositoriesOf(repositories: readonly string[], { imagePrefix }: Runners): readonly string[] {
  return imagePrefix === undefined ? repositories : [...repositories, imagePrefix.replace(/\/+$/, '')]
}

/** Returns the repository without the function's name; '' for the image of another function. */
function parentOf({ repository }: Image, name: string): string {
  return repository.endsWith(`/${name}`) ? repository.slice(0, -name.length - 1) : ''
}

/**
 * Returns the error about an image or program without a runner, or the warning about one that another version runs.
 *
 * @param packages  the number of packages that need it
 */
export function unmatchedResult({ step, rule, message }: Unmatched, packages: number): Result {
  const field = [...step.field, step.image === '' ? 'exec' : 'image']
  return {
    severity: rule === 'other-version' ? 'warning' : 'error',
    message: `\`${formatFieldPath(field)}\` ${message}${packages > 1 ? ` (${packages} packages need it)` : ''}`,
    ...fieldPlace(step.kptfile, field),
    tags: { rule },
  }
}
