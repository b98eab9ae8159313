import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../error-code.ts'
import { cacheFolder } from '../../git/git-cache.ts'
import { memberOf, parseJson, scalarText } from '../../json.ts'
import { remember } from '../../remember.ts'
import { type Image, printImage } from '../image.ts'
import type { FunctionAnswer, Runner } from '../match.ts'
import { AnswerCache } from './answer-cache.ts'
import { callRunner, type ProgramSettings } from './program.ts'

/** Settings for running images in containers. */
export interface ContainerSettings extends ProgramSettings {
  /** The images that may use the network, as written in a Kptfile, as resolved, or as a repository without a tag. */
  readonly network: ReadonlySet<string>
  /** Undefined if answers must not be kept. */
  readonly cache: AnswerCache | undefined
}

/** The runtimes that kpt knows. */
const RUNTIMES = ['docker', 'podman', 'nerdctl'] as const

/** The most memory of one container. */
const MEMORY = '1g'

/** The seconds that pulling an image may take. */
const PULL_SECONDS = 600

/** Returns the runner of an image, or the reason why the image cannot run. */
export type ContainerRunners = (image: Image, written: string) => Runner | string

/**
 * Returns the runners of images in containers. The runtime is the one that kpt uses: `KRM_FN_RUNTIME` (older: `KPT_FN_RUNTIME`), else
 * docker. An image is looked up once, pulled if missing, and runs by its id, so that all calls of a run use one content. A container has
 * no network, no rights, a read-only file system, at most 1 GB of memory, and the user nobody.
 */
export function containerRunners(settings: ContainerSettings): ContainerRunners {
  const { KRM_FN_RUNTIME, KPT_FN_RUNTIME } = settings.environment
  const named = (KRM_FN_RUNTIME || KPT_FN_RUNTIME || 'docker').toLowerCase()
  const runtime = RUNTIMES.find((known) => known === named)
  const known = new Map<string, Runner | string>()
  return (image, written) => {
    if (runtime === undefined) return `KRM_FN_RUNTIME must be one of ${RUNTIMES.join(', ')}, got '${named}'`
    const name = printImage(image)
    const hasNetwork = [written, name, image.repository].some((each) => settings.network.has(each))
    return remember(known, name, () => imageRunner(runtime, image, hasNetwork, settings))
  }
}

function imageRunner(runtime: string, image: Image, hasNetwork: boolean, settings: ContainerSettings): Runner | string {
  if (!/^(?:\w[\w.-]{0,127})?$/.test(image.tag))
    return `its tag '${image.tag}' must be one tag: no registry is asked for the versions in a range`
  const found = findImage(runtime, printImage(image), settings)
  if ('reason' in found) return found.reason
  const { id } = found
  const runner = callRunner(() => {
    const name = `krm-variants-${randomUUID()}`
    return { words: [runtime, ...runWords(name, hasNetwork), id], end: () => removeContainer(runtime, name, settings) }
  }, settings)
  // An answer that came over the network may differ the next time.
  return settings.cache === undefined || hasNetwork ? runner : settings.cache.keep(runner, id)
}

function runWords(name: string, hasNetwork: boolean): readonly string[] {
  return [
    'run',
    '--rm',
    '--interactive',
    '--name',
    name,
    '--network',
    hasNetwork ? 'host' : 'none',
    '--user',
    'nobody',
    '--security-opt=no-new-privileges',
    '--cap-drop=ALL',
    '--read-only',
    '--tmpfs=/tmp:rw,noexec,nosuid,size=64m',
    `--memory=${MEMORY}`,
    '--pull=never',
  ]
}

/** Ends a container whose client was killed: the container is a child of the runtime's daemon or monitor, not of the client. */
function removeContainer(runtime: string, name: string, settings: ProgramSettings): void {
  ask(runtime, ['kill', '--signal', 'KILL', name], settings, REMOVE_SECONDS)
  ask(runtime, ['rm', '--force', name], settings, REMOVE_SECONDS)
}

const REMOVE_SECONDS = 30

/** Returns the id of an image, which is the digest of its configuration; pulls the image if the machine does not have it. */
function findImage(runtime: string, name: string, settings: ProgramSettings): { readonly id: string } | { readonly reason: string } {
  const present = ask(runtime, ['image', 'inspect', name], settings, REMOVE_SECONDS)
  const known = idIn(present)
  if (known !== undefined) return { id: known }
  if (present.exitCode === undefined) return { reason: `${runtime} ${present.stderr}; KRM_FN_RUNTIME names another runtime` }
  const pulled = ask(runtime, ['pull', '--quiet', name], settings, PULL_SECONDS)
  const id = pulled.exitCode === 0 ? idIn(ask(runtime, ['image', 'inspect', name], settings, REMOVE_SECONDS)) : undefined
  return id === undefined ? { reason: `${runtime} has no such image and cannot pull it: ${lastLine(pulled.stderr)}` } : { id }
}

function ask(runtime: string, args: readonly string[], { folder, environment }: ProgramSettings, seconds: number): FunctionAnswer {
  const options = { cwd: folder, env: { ...environment }, timeout: seconds * 1000, encoding: 'utf8' } as const
  const { status, stdout, stderr, error } = spawnSync(runtime, args, options)
  if (error !== undefined) {
    const isMissing = errorCode(error) === 'ENOENT'
    return { stdout: '', stderr: isMissing ? 'is not installed' : `cannot be asked: ${error.message}`, exitCode: undefined }
  }
  return { stdout, stderr, exitCode: status ?? 1 }
}

/** Returns the id in the output of `image inspect`; docker, podman and nerdctl print a list with one object. */
function idIn({ stdout, exitCode }: FunctionAnswer): string | undefined {
  if (exitCode !== 0) return undefined
  const id = scalarText(memberOf(memberOf(parseJson(stdout), 0), 'Id'))
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(id) ? id : undefined
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

/** The settings with which images run in containers. */
export interface ContainerOptions {
  /** The images that may use the network, as `ContainerSettings` has them. */
  readonly network: ReadonlySet<string>
  /** True to keep the answers of containers for later runs. */
  readonly keepsAnswers: boolean
}

/** Returns the runners of images in containers, which start in a folder of their own and keep answers in the user's cache. */
export function imageRunners({ network, keepsAnswers }: ContainerOptions, settings: ProgramSettings): ContainerRunners {
  const answers = cacheFolder(settings.environment, tmpdir(), 'functions')
  // The monitor of podman writes a file `oom` into the folder that it was started in.
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-containers-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return containerRunners({ ...settings, folder, network, cache: keepsAnswers ? new AnswerCache(answers) : undefined })
}
