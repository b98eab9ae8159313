import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { stringify } from 'yaml'
import { asRecord, type JsonRecord } from '../../src/json.ts'
import type { Result } from '../../src/result.ts'
import { recordRun } from '../cli/recorded-run.ts'

/** Files by path. */
export type Texts = Readonly<Record<string, string>>

/** A revision of an upstream package, and the refs that a Kptfile records for the revision. */
export interface UpstreamFiles {
  readonly files: Texts
  readonly ref: string
  readonly resolvedRef: string
  readonly commit?: string
}

/** A package that is made, or brought to another revision. */
export interface RenderOrder {
  readonly clone: 'kpt' | 'porch'
  readonly updateStrategy: string
  /** The URL of the upstream repository, and the folder of the package in it. */
  readonly repo: string
  readonly directory: string
  /** The revision of the existing package, if there is one, and the wanted revision. */
  readonly revisions: readonly UpstreamFiles[]
  readonly wanted: string
  readonly packageName: string
  /** The existing package. */
  readonly local?: Texts
}

/** The outcome of `krm-variants render`. */
export interface RenderAnswer {
  readonly exitCode: number
  /** The files of the package, by their paths in it. */
  readonly files: ReadonlyMap<string, Buffer>
  /** The results, with fields and places as `--format json` prints them. */
  readonly results: readonly JsonRecord[]
}

const FLEET = 'fleet'
const OUT = 'out'
const REPOSITORY = 'deployments'

/**
 * Runs `krm-variants render --no-run` twice on a fleet with one PackageVariant, in a new folder.
 *
 * @returns the answer to the first run, and the answer to the second run, which must change nothing
 */
export async function renderTwice(order: RenderOrder): Promise<readonly [RenderAnswer, RenderAnswer]> {
  const folder = mkdtempSync(join(tmpdir(), 'rendered-'))
  try {
    for (const { ref, files } of order.revisions) writeTexts(join(folder, FLEET, 'upstream', ref), files)
    writeTexts(join(folder, FLEET), {
      'fleet.yaml': fleetOf(order)
        .map((object) => stringify(object))
        .join('---\n'),
    })
    writeTexts(join(folder, placeOf(order)), order.local ?? {})
    return [await render(folder, order), await render(folder, order)]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function render(folder: string, order: RenderOrder): Promise<RenderAnswer> {
  const args = ['render', FLEET, '--out', OUT, '--offline', '--no-run', '--discard-edits', '--format', 'json']
  const { stdout, stderr, exitCode } = await recordRun(folder, args)
  if (stdout === '') throw new Error(`render said nothing but: ${stderr}`)
  const { results, packages } = JSON.parse(stdout) as Pick<RenderAnswer, 'results'> & { packages: Pick<RenderAnswer, 'results'>[] }
  const place = placeOf(order)
  const all = [...results, ...packages.flatMap((each) => each.results)].map((result) => inPackage(result, place))
  return { exitCode, files: readFiles(join(folder, place)), results: all }
}

/** Returns a result with the path of its file in the package. */
function inPackage(result: JsonRecord, place: string): JsonRecord {
  const { path, ...file } = asRecord(result.file)
  return path === undefined ? result : { ...result, file: { ...file, path: String(path).replace(`${place}/`, '') } }
}

function placeOf({ packageName }: RenderOrder): string {
  return join(OUT, REPOSITORY, packageName)
}

function fleetOf({ clone, updateStrategy, repo, directory, revisions, wanted, packageName }: RenderOrder): readonly object[] {
  const known = revisions.map(({ files: _, ...names }) => [names.ref, { ...names, path: `upstream/${names.ref}` }])
  return [
    {
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'PackageVariant',
      metadata: { name: packageName, namespace: 'default' },
      spec: {
        upstream: { repo: 'blueprints', package: directory.replace(/^\//, ''), workspaceName: wanted },
        downstream: { repo: REPOSITORY, package: packageName },
        adoptionPolicy: 'adoptExisting',
      },
    },
    {
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'Repository',
      metadata: { name: 'blueprints', namespace: 'default' },
      spec: { type: 'git', git: { repo } },
    },
    {
      apiVersion: 'fn.krm-variants.dev/v1alpha1',
      kind: 'RenderVariants',
      metadata: { name: 'options' },
      spec: { clone, updateStrategy, fleet: 'vectors', repositories: { blueprints: { revisions: Object.fromEntries(known) } } },
    },
  ]
}

function writeTexts(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Reads the files of a folder; none where there is no such folder, as after an error. */
function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(folder)) return new Map()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]))
}

/** Returns the files as texts. */
export function textsOf({ files }: Pick<RenderAnswer, 'files'>): Texts {
  return Object.fromEntries(Array.from(files, ([path, bytes]) => [path, bytes.toString('utf8')]))
}

/** Returns the errors of a run in one text; undefined for a run that succeeded. */
export function faultOf({ exitCode, results }: RenderAnswer): string | undefined {
  const errors = results.filter(({ severity }) => severity === 'error').map(({ message }) => String(message))
  if (exitCode !== 0 && errors.length === 0) throw new Error(`exit code ${exitCode} without an error`)
  return errors.length === 0 ? undefined : errors.join('\n')
}

/** The annotations with which `render` marks the Kptfile of a package as that of a variant. */
const MARKS: Readonly<Record<string, string>> = {
  'krm-variants.dev/package-variant': 'default/',
  'krm-variants.dev/deletion-policy': 'delete',
  'krm-variants.dev/fleet': 'vectors',
}

/** Returns a Kptfile without the marks of `render`, which neither kpt nor Porch writes; the marks are there all together, or not at all. */
export function ownMarks(kptfile: JsonRecord): { readonly left: JsonRecord; readonly isMarked: boolean } {
  const metadata = asRecord(kptfile.metadata)
  const annotations = Object.entries(asRecord(metadata.annotations))
  const marks = annotations.filter(([key, value]) => MARKS[key] !== undefined && String(value).startsWith(MARKS[key]))
  if (marks.length < Object.keys(MARKS).length) return { left: kptfile, isMarked: false }
  const { annotations: _, ...others } = metadata
  const own = Object.fromEntries(annotations.filter((entry) => !marks.includes(entry)))
  return { left: { ...kptfile, metadata: { ...others, ...(Object.keys(own).length > 0 && { annotations: own }) } }, isMarked: true }
}

/** Returns the text of a Kptfile without what `render` notes: without its marks, and with the upstream that the Kptfile had before. */
export function withoutMarks(kptfile: string, before: string): string {
  const unmarked = kptfile.replace(/^ +krm-variants\.dev\/(?:package-variant|deletion-policy|fleet): [^\n]*\n/gm, '')
  const own = unmarked.replace(/^ +annotations:\r?\n(?=\S|$)/m, '')
  return ['upstream', 'upstreamLock'].reduce((text, key) => {
    const block = new RegExp(`^${key}:[^\\n]*\\n(?: [^\\n]*\\n)*`, 'm')
    return text.replace(block, () => block.exec(before)?.[0] ?? '')
  }, own)
}

/** Returns a result of `--format json` as a function has it, with the steps of its field. */
export function asResult(result: JsonRecord): Result {
  const { path, ...field } = asRecord(result.field)
  const steps = [...String(path ?? '').matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|[^.[\]]+/g)]
  const fieldPath = steps.map(([step, quoted, index]) => (index === undefined ? (quoted ?? step) : Number(index)))
  return { ...result, ...(path !== undefined && { field: { ...field, path: fieldPath } }) } as unknown as Result
}
