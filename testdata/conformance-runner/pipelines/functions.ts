import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../../cli/usage-error.ts'
import { CATALOG } from '../../../src/catalog/catalog.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, scalarText } from '../../../src/json.ts'
import { imageNameFault } from '../../../src/pipeline/image.ts'
import type { FunctionAnswer, Runners } from '../../../src/pipeline/match.ts'
import { programRunner } from '../../../src/pipeline/runners/program.ts'
import { CATALOG_BUILTINS } from '../../../src/render/runs/catalog-builtins.ts'
import { itemsIn } from '../resource-list.ts'

const VECTORS = fileURLToPath(new URL('../../../../shared/pipelines/kpt', import.meta.url))

/** The files beside the vectors that are run: in the tree that the caller names, else beside the repository. */
function besideVectors(file: string): string {
  const { VECTORS: tree = VECTORS } = process.env
  return [join(tree, file), join(tree, 'kpt', file), join(tree, '..', file)].find((path) => existsSync(path)) ?? join(VECTORS, file)
}

let built: string | undefined

/** Returns true where the test function of the vectors could be built; its folder is removed when the process ends. */
export function hasKfn(): boolean {
  built ??= buildKfn()
  return built !== ''
}

function buildKfn(): string {
  const source = join(VECTORS, 'kfn.go')
  if (!existsSync(source)) return ''
  const folder = mkdtempSync(join(tmpdir(), 'kfn-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  copyFileSync(source, join(folder, 'main.go'))
  writeFileSync(join(folder, 'go.mod'), `module kfn\n\ngo 1.21\n\nrequire sigs.k8s.io/kustomize/kyaml v0.20.1\n`)
  const options = { cwd: folder, stdio: 'ignore', env: { ...process.env, GOFLAGS: '-mod=mod' } } as const
  const { status } = spawnSync('go', ['build', '-o', 'kfn', '.'], options)
  return status === 0 ? folder : ''
}

/**
 * Returns what runs the functions of a case: the test function as a program, stand-ins, built-in functions, and for other functions their
 * recorded answers.
 */
export function vectorRunners(
  vector: JsonRecord,
  { folder, cwd, flags }: { readonly folder: string; readonly cwd: string; readonly flags: ReadonlyMap<string, string> },
): Runners {
  const environment = { ...process.env, PATH: [built ?? '', process.env.PATH].join(delimiter) }
  const calls = replayOf(vector, folder)
  const standsFor = new Map(
    Object.entries(asRecord(vector.functions)).map(([name, means]) => [name, wordsFor(means, vector.replayed === true)] as const),
  )
  const prefix = flags.get('--image-prefix') ?? asRecord(vector.env).KPT_IMAGE_PREFIX
  const imagePrefix = prefix === undefined ? undefined : scalarText(prefix)
  if (imagePrefix !== undefined && imageNameFault(imagePrefix.replace(/\/+$/, '')) !== undefined)
    throw new UsageError('a prefix with a scheme')
  return {
    builtins: CATALOG_BUILTINS,
    programs: new Map(
      [...standsFor].flatMap(([name, words]) => (words === undefined ? [] : namesOf(name).map((image) => [image, words] as const))),
    ),
    allowExec: flags.has('--allow-exec'),
    imagePrefix,
    program: (words) => {
      if (words[0] === 'identity') return (input) => ({ stdout: input, stderr: '', exitCode: 0 })
      if (words[0] === 'replay') return (input) => calls(input, words[1] ?? '')
      return programRunner(words, { folder: cwd, environment, seconds: 60 })
    },
  }
}

/** An image as the vector names it, and without `latest`, which kpt adds. */
function namesOf(image: string): readonly string[] {
  return [image, image.replace(/:latest$/, '')]
}

/** Returns true for a function of a case that one of ours stands for. */
export function isBuiltIn(vector: JsonRecord, image: string): boolean {
  const means = asRecord(vector.functions)[image]
  return isRecord(means) && vector.replayed !== true && means.standIn === undefined && wordsFor(means, false) === undefined
}

/** @param isReplayed  true if the recorded answers stand for all functions, also for those that are built in */
function wordsFor(means: JsonValue, isReplayed: boolean): readonly string[] | undefined {
  if (means === 'kfn') return ['kfn']
  if (!isRecord(means)) return undefined
  if (isReplayed) return ['replay', '']
  if (means.standIn === 'identity') return ['identity']
  const version = scalarText(means.builtFrom).split('/').at(-1) ?? ''
  return CATALOG.some(({ name, versions }) => name === means.catalog && versions.includes(version))
    ? undefined
    : ['replay', scalarText(means.catalog)]
}

/** The cases of `render-calls.json`: the runs whose functions were recorded, with the recorded functions alone. */
export function replayedCases(calls: JsonRecord): readonly JsonRecord[] {
  const runs: JsonValue = JSON.parse(readFileSync(besideVectors('render.json'), 'utf8'))
  const known = Array.isArray(runs) ? runs.filter(isRecord) : []
  return known.filter(({ name }) => Object.hasOwn(calls, scalarText(name))).map((vector) => ({ ...vector, replayed: true }))
}

let recorded: JsonRecord | undefined

/** Answers as the real functions did, one call after the other, where a call got what the real function got. */
function replayOf({ name, replayed }: JsonRecord, folder: string): (input: string, fn: string) => FunctionAnswer {
  recorded ??= JSON.parse(readFileSync(besideVectors('render-calls.json'), 'utf8')) as JsonRecord
  const calls = recorded[scalarText(name)]
  const left = Array.isArray(calls) ? calls.map(asRecord) : []
  return (input, fn) => {
    const received = itemsIn(input).map(({ kind, name, path, index }) => `${kind}/${name}@${path}#${index}`)
    const call =
      replayed === true
        ? nextCall(left, received)
        : left.find(
            ({ image, receivedItems }) => scalarText(image).includes(`/${fn}:`) && inAnyOrder(receivedItems) === inAnyOrder(received),
          )
    if (call === undefined) return { stdout: '', stderr: `no recorded call got ${received.join()}`, exitCode: undefined }
    left.splice(0, left.indexOf(call) + 1)
    return { stdout: scalarText(call.stdout).replaceAll('$DIR', folder), stderr: scalarText(call.stderr), exitCode: Number(call.exitCode) }
  }
}

/** Returns the next recorded call, if it got the same items in the same order. */
function nextCall([call]: readonly JsonRecord[], received: readonly string[]): JsonRecord | undefined {
  return equalJson(call?.receivedItems, received) ? call : undefined
}

/** Functions of the catalog sort what they print, built-in ones do not: the order of items means nothing. */
function inAnyOrder(items: JsonValue | undefined): string {
  return Array.isArray(items) ? items.map(scalarText).sort().join('\n') : ''
}
