import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { bundlePath, type Finished, ROOT, runProgram } from '../run-program.ts'
import { commit, git, makeCatalog } from './catalog.ts'
import { edit } from './edits.ts'

/** A platform team's folder with the example fleet, and beside it the git repository of its catalog. */
export interface Workspace {
  readonly root: string
  readonly fleet: string
  /** Where the packages go. */
  readonly clusters: string
  readonly catalog: string
}

/** A workspace that is a git repository, and goes after the test. */
export async function makeWorkspace(): Promise<Workspace> {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const root = join(place, 'work')
  const workspace = { root, fleet: join(root, 'fleet'), clusters: join(root, 'clusters'), catalog: join(place, 'catalog') }
  await makeCatalog(workspace.catalog)
  cpSync(join(ROOT, 'examples/fleet'), workspace.fleet, { recursive: true })
  edit(join(workspace.fleet, 'render.yaml'), /path: .*/, `git: {repo: ${workspace.catalog}}`)
  await git(root, 'init', '--quiet')
  await commit(root, 'fleet')
  return workspace
}

/** Renders the fleet with the tool. The functions are left to kpt: people add functions that nothing here can run. */
export function render({ fleet, clusters }: Workspace, ...options: readonly string[]): Promise<Finished> {
  return runProgram(bundlePath('krm-variants'), ['render', fleet, '--out', clusters, '--no-run', ...options])
}

/**
 * Returns what the documents of each YAML file say, but for the marks that kpt writes on every resource (docs/porch.md U19); the text of
 * every other file.
 */
export function meaningOf(files: ReadonlyMap<string, string>): ReadonlyMap<string, unknown> {
  return new Map([...files].map(([path, text]) => [path, /\.yaml$|(^|\/)Kptfile$/.test(path) ? valuesIn(text) : text]))
}

function valuesIn(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => withoutMark(document.toJS()))
}

interface Resource {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
}

function withoutMark({ metadata: { annotations = {}, ...metadata } = {}, ...rest }: Resource): object {
  const { 'internal.kpt.dev/upstream-identifier': _, ...own } = annotations
  return { ...rest, metadata, annotations: own }
}
