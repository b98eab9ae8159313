import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CATALOG } from '../src/catalog/catalog.ts'
import { CASE_FILES } from './golden-case.ts'

const TESTDATA = fileURLToPath(new URL('.', import.meta.url))
const FUNCTIONS = fileURLToPath(new URL('../functions', import.meta.url))

// What testdata/ holds beside golden cases: vectors and what runs them, ApplicationSets with what Argo CD makes of them, attacks,
// transcripts of the tool, judged changes of dangers, outputs of diff, pinned schemas, upgrades of packages.
const OTHER_FOLDERS: readonly string[] = [
  'conformance',
  'conformance-runner',
  'argocd-sets',
  'attacks',
  'cli',
  'danger-changes',
  'diff',
  'schemas',
  'upgrades',
]

/** A folder `testdata/FUNCTION/CASE`. */
export interface GoldenFolder {
  readonly functionName: string
  readonly caseName: string
  readonly folder: string
}

/** The names of the functions, by folder. */
export function findFunctions(): string[] {
  return foldersIn(FUNCTIONS)
}

/** The built-in functions of the catalog, by name. */
export const CATALOG_NAMES: readonly string[] = CATALOG.map(({ name }) => name)

/** The folders of testdata/ that hold golden cases, each named for its function. */
export function findCollections(): string[] {
  return foldersIn(TESTDATA).filter((name) => !OTHER_FOLDERS.includes(name))
}

/** Every case folder, in order of function and case. */
export function findGoldenFolders(): GoldenFolder[] {
  return findCollections().flatMap((functionName) =>
    foldersIn(join(TESTDATA, functionName)).map((caseName) => ({ functionName, caseName, folder: join(TESTDATA, functionName, caseName) })),
  )
}

/** Returns what lies beside the case folders or in one and belongs to no case, as paths below testdata/. */
export function findStrays(): string[] {
  const beside = findCollections().flatMap((name) => filesIn(join(TESTDATA, name)).map((file) => join(name, file)))
  const inside = findGoldenFolders().flatMap(({ functionName, caseName, folder }) =>
    readdirSync(folder).flatMap((file) => (CASE_FILES.includes(file) ? [] : [join(functionName, caseName, file)])),
  )
  return [...beside, ...inside]
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]))
}
