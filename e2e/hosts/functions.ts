import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type GoldenCase, readGoldenCase } from '../../testdata/golden-case.ts'
import { findFunctions, findGoldenFolders } from '../../testdata/golden-folders.ts'
import { ROOT } from '../run-program.ts'

/** The names of the functions, by folder. */
export const FUNCTIONS: readonly string[] = findFunctions()

/** The folders of `examples/` that are kpt packages, as paths in the repository. */
export const EXAMPLES: readonly string[] = readdirSync(join(ROOT, 'examples'))
  .filter((name) => readdirSync(join(ROOT, 'examples', name)).includes('Kptfile'))
  .map((name) => `examples/${name}`)

/** The golden cases of a function with their names. */
export function goldenCasesOf(functionName: string): (GoldenCase & { readonly name: string })[] {
  const folders = findGoldenFolders().filter((folder) => folder.functionName === functionName)
  return folders.map(({ caseName, folder }) => ({ name: `${functionName}/${caseName}`, ...readGoldenCase(folder) }))
}

/** `metadata.yaml` of a function. */
export function metadataOf(functionName: string): Readonly<Record<string, unknown>> {
  return parse(readFileSync(join(ROOT, 'functions', functionName, 'metadata.yaml'), 'utf8'))
}
