import { join } from 'node:path'
import { ROOT, runProgram } from '../run-program.ts'
import { FUNCTIONS, metadataOf } from './functions.ts'
import { CONTAINERS } from './present-hosts.ts'

// A tag of its own, so that the images that a person built for use stay as they are.
const TAG = 'e2e'

/** The options that kpt gives (kpt internal/fnruntime/container.go), and a read-only file system. */
const LIKE_KPT = [
  '--rm',
  '-i',
  '--network',
  'none',
  '--user',
  'nobody',
  '--security-opt=no-new-privileges',
  '--pull',
  'never',
  '--read-only',
]

/** The image of a function. */
export function imageOf(functionName: string): string {
  return `${metadataOf(functionName).image}:${TAG}`
}

/** The image of the tool. */
export const FAMILY_IMAGE = `ghcr.io/krm-variants/krm-variants:${TAG}`

/** Builds a base image with Node, unless there is one, and returns its name. */
export async function buildBase(): Promise<string> {
  // kpt has one variable since beta.59, another before.
  process.env.KRM_FN_RUNTIME = process.env.KPT_FN_RUNTIME = CONTAINERS.present ? CONTAINERS.program : ''
  return runNode('scripts/images-base.mjs')
}

/** Builds the images of all functions on such a base. Returns the name of the base image. */
export async function buildImages(): Promise<string> {
  const base = await buildBase()
  const built = await runNode('scripts/images.mjs', '--base', base, '--tag', TAG)
  const missing = [...FUNCTIONS.map(imageOf), FAMILY_IMAGE].filter((image) => !built.split('\n').includes(image))
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}`)
  return base
}

/** Runs an image as kpt does, read-only besides. */
export async function runImage(image: string, args: readonly string[], input: string): ReturnType<typeof runProgram> {
  return runProgram(runtime(), ['run', ...LIKE_KPT, image, ...args], input)
}

/**
 * Returns what a run of the image makes of each golden case in a folder, by name: all in one container, as nobody and read-only, by the
 * image's own entry point.
 */
export async function runGoldenCases(image: string, folder: string): Promise<ReadonlyMap<string, { exitCode: number; stdout: string }>> {
  const entryPoint: readonly string[] = JSON.parse(await inspectImage(image, '{{json .Config.Entrypoint}}'))
  const driver = join(ROOT, 'e2e/hosts/run-golden-cases.mjs')
  const mounts = ['--volume', `${folder}:/cases:ro`, '--volume', `${driver}:/driver.mjs:ro`]
  const args = ['run', ...LIKE_KPT, ...mounts, '--entrypoint', 'node', image, '/driver.mjs', '/cases', ...entryPoint]
  const { stdout, stderr, exitCode } = await runProgram(runtime(), args)
  if (exitCode !== 0) throw new Error(stderr)
  return new Map(Object.entries(JSON.parse(stdout.toString())))
}

/** Returns what the runtime knows of an image: one value by a Go template. */
export async function inspectImage(image: string, template: string): Promise<string> {
  const { stdout, stderr, exitCode } = await runProgram(runtime(), ['image', 'inspect', '--format', template, image])
  if (exitCode !== 0) throw new Error(stderr)
  return stdout.toString().trim()
}

async function runNode(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runProgram(process.execPath, args)
  if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}\n${stderr}`)
  return stdout.toString().trim()
}

function runtime(): string {
  if (!CONTAINERS.present) throw new Error(CONTAINERS.why)
  return CONTAINERS.program
}
