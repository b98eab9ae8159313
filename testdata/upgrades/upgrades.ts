import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { diffLines } from 'diff'
import { recordRun } from '../cli/recorded-run.ts'
import type { Texts } from '../package-of-texts.ts'
import { idealUpgrade } from './ideal.ts'
import { PACKAGES } from './packages.ts'
import { PEOPLE } from './people.ts'

/** The state of a package that people edited, after its upstream moved on. */
export interface Upgrade {
  readonly name: string
  readonly lines: number
  /** Lines in which the package differs from the ideal one. */
  readonly off: number
  /** Warnings of `render`. */
  readonly reported: number
  /** Lines of people that are nowhere in the package, without a warning for their file. */
  readonly lostEdits: readonly string[]
  /** Functions of people that are not in the pipeline any more. */
  readonly lostFunctions: readonly string[]
  /** Files in which both sides changed the same lines, without a warning. */
  readonly silentConflicts: readonly string[]
}

const ORDERS = PACKAGES.flatMap((pkg) => PEOPLE.map((person, at) => ({ pkg, person, cluster: `cluster-${at}` })))

/**
 * Upgrades each package that each person edited, with the command `render` on folders: renders the first revision, makes the edits, and
 * renders the second revision over them. Beside that a fresh clone of the second revision shows what upstream changed.
 */
export async function runUpgrades(): Promise<readonly Upgrade[]> {
  const folder = mkdtempSync(join(tmpdir(), 'upgrades-'))
  try {
    for (const { name, v1, v2 } of PACKAGES) {
      writeTexts(join(folder, `fleet/catalog/${name}@v1`), v1)
      writeTexts(join(folder, `fleet/catalog/${name}@v2`), v2)
    }
    await render(folder, { revision: 1, out: 'out' })
    const before = ORDERS.map((order) => readTexts(placeOf(folder, 'out', order)))
    const edited = ORDERS.map(({ person }, at) => person.edit(before[at] ?? {}))
    for (const [at, order] of ORDERS.entries()) replaceTexts(placeOf(folder, 'out', order), edited[at] ?? {})
    await render(folder, { revision: 2, out: 'fresh' })
    const warnings = await render(folder, { revision: 2, out: 'out' })
    return ORDERS.map((order, at) => {
      const [base, mine] = [before[at] ?? {}, edited[at] ?? {}]
      const theirs = readTexts(placeOf(folder, 'fresh', order))
      const own = warnings.filter(({ path }) => path.startsWith(`out/${order.cluster}/${order.pkg.name}/`))
      return judge(`${order.pkg.name}, ${order.person.name}`, { base, mine, theirs, after: readTexts(placeOf(folder, 'out', order)), own })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Order = (typeof ORDERS)[number]

function placeOf(folder: string, out: string, { cluster, pkg }: Order): string {
  return join(folder, out, cluster, pkg.name)
}

interface Warning {
  readonly path: string
}

/** Runs `render`, first without writing: as JSON it names every warning. */
async function render(folder: string, { revision, out }: { readonly revision: number; readonly out: string }): Promise<readonly Warning[]> {
  writeFileSync(join(folder, 'fleet/variants.yaml'), ORDERS.map((order) => variantOf(order, revision)).join('---\n'))
  const dry = await recordRun(folder, ['render', 'fleet', '--out', out, '--no-run', '--dry-run', '--format', 'json'])
  const { results = [] } = JSON.parse(dry.stdout) as { results?: { severity: string; file?: { path: string } }[] }
  const { exitCode, stderr } = await recordRun(folder, ['render', 'fleet', '--out', out, '--no-run'])
  if (exitCode !== 0) throw new Error(`render must succeed, said ${stderr}`)
  return results.filter(({ severity }) => severity === 'warning').map(({ file }) => ({ path: file?.path ?? '' }))
}

function variantOf({ cluster, pkg }: Order, revision: number): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ${pkg.name}-${cluster}
spec:
  upstream: {repo: catalog, package: ${pkg.name}, revision: ${revision}}
  downstream: {repo: ${cluster}, package: ${pkg.name}}
  pipeline: {mutators: [{name: namespace, image: 'ghcr.io/fleet/namespace:v1'}]}
`
}

interface Sides {
  readonly base: Texts
  readonly mine: Texts
  readonly theirs: Texts
  readonly after: Texts
  readonly own: readonly Warning[]
}

function judge(name: string, { base, mine, theirs, after, own }: Sides): Upgrade {
  const ideal = idealUpgrade(base, mine, theirs)
  const isReported = (path: string): boolean => own.some((warning) => warning.path.endsWith(`/${path}`))
  const edits = Object.entries(mine).flatMap(([path, text]) => newLines(base[path] ?? '', text).map((line) => ({ path, line })))
  const everywhere = Object.values(after).join('\n')
  const lost = edits.filter(({ path, line }) => !hasLine(after[path] ?? everywhere, line))
  return {
    name,
    lines: Object.values(ideal.files).join('').split('\n').length,
    off: [...new Set([...Object.keys(ideal.files), ...Object.keys(after)])]
      .map((path) => linesApart(ideal.files[path] ?? '', after[path] ?? ''))
      .reduce((sum, apart) => sum + apart, 0),
    reported: own.length,
    lostEdits: lost.filter(({ path }) => !isReported(path)).map(({ path, line }) => `${path}: ${line}`),
    lostFunctions: lost.filter(({ path, line }) => path === 'Kptfile' && line.includes('image:')).map(({ line }) => line),
    silentConflicts: ideal.conflicts.filter((path) => !isReported(path)),
  }
}

/** The lines that a text has and another has not, without indentation. */
function newLines(before: string, after: string): readonly string[] {
  const lines = diffLines(before, after).filter(({ added }) => added)
  return lines.flatMap(({ value }) =>
    value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
}

function hasLine(text: string, line: string): boolean {
  return text.split('\n').some((other) => other.trim() === line)
}

function linesApart(a: string, b: string): number {
  return diffLines(a, b).reduce((sum, { added, removed, count = 0 }) => sum + (added || removed ? count : 0), 0)
}

function writeTexts(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function replaceTexts(folder: string, texts: Texts): void {
  rmSync(folder, { recursive: true })
  writeTexts(folder, texts)
}

function readTexts(folder: string): Texts {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map((entry) => join(entry.parentPath, entry.name)).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  )
}
