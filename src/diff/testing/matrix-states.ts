import { type VariantOrigin, variantOrigins } from '../fleet-state.ts'
import { configText, type Files, KPTFILE_TEXT, stateOfFiles } from './states-of-files.ts'

/**
 * Returns the text of a Repository with labels, a line each.
 *
 * @returns the name is in line 4, the first label in line 7
 */
export function labelledRepository(name: string, ...labels: readonly string[]): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: ${name}
  namespace: fleet
  labels:
${labels.map((label) => `    ${label}\n`).join('')}`
}

/** The upstreams of a matrix of the package `catalog/web` at a revision, a line. */
export function webAt(revision: number): string {
  return `{repo: catalog, package: web, revision: ${revision}}`
}

/**
 * Returns the text of a matrix for the Repositories with `status: open`.
 *
 * @param upstreams  in line 5
 * @param lines      more lines of the spec, the first of them in line 8
 */
export function matrixText(upstreams: string, ...lines: readonly string[]): string {
  return `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web, namespace: fleet}
spec:
  upstreams: [${upstreams}]
  targets:
  - repositorySelector: {matchLabels: {status: open}}
${lines.map((line) => `  ${line}\n`).join('')}`
}

/** The three revisions of the package `catalog/web`, each with a value of its own. */
const REVISIONS: Files = Object.fromEntries(
  [1, 2, 3].flatMap((revision) => [
    [`catalog/web@${revision}/Kptfile`, KPTFILE_TEXT],
    [`catalog/web@${revision}/a.yaml`, configText('a', `v${revision}`)],
  ]),
)

/** Returns the fleet of a matrix in `fleet/set.yaml`, and Repositories in files of their names. */
export function matrixFleet(matrix: string, repositories: Readonly<Record<string, readonly string[]>>, more: Files = {}): Files {
  return {
    ...REVISIONS,
    'fleet/set.yaml': matrix,
    ...Object.fromEntries(
      Object.entries(repositories).map(([name, labels]) => [`fleet/${name}.yaml`, labelledRepository(name, ...labels)]),
    ),
    ...more,
  }
}

/** Returns the origin of the variant whose package is in a folder, REPOSITORY/PACKAGE. */
export function originOfPackage(files: Files, folder: string): VariantOrigin {
  const origins = [...variantOrigins(stateOfFiles(files).sets).values()]
  const found = origins.find(({ change: { why } }) => why !== undefined && `${why.repo}/${why.package}` === folder)
  if (found === undefined) throw new Error(`must make ${folder}`)
  return found
}
