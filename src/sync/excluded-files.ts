import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { locate } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { countOf } from '../wording.ts'
import type { DeployedPackage } from './deployed-packages.ts'
import type { Deployment } from './options.ts'

/** The context of a package, which every package of kpt may have. Argo CD's `*` matches slashes too. */
const CONTEXTS = ['package-context.yaml', '*/package-context.yaml']

/**
 * Returns the pattern of the files that Argo CD must leave out: Argo CD does not know `config.kubernetes.io/local-config`, and fails on a
 * file that is no Kubernetes object.
 *
 * @example  setters in `setters.yaml` → `{package-context.yaml,*\/package-context.yaml,setters.yaml}`
 */
export function excludedFiles({ contents, packageName }: Deployment): string {
  const files = contents.flatMap((content) =>
    filesForTools(content).map((path) => (packageName === undefined ? `${content.packageName}/${path}` : path)),
  )
  const own = [...new Set(files)].filter((path) => !/(^|\/)package-context\.yaml$/.test(path)).sort()
  return `{${[...CONTEXTS, ...own.map(literal)].join(',')}}`
}

/** Returns a path as a pattern: a character with a meaning in patterns is any character. */
function literal(path: string): string {
  return path.replaceAll(/[{}[\]*?!,\\]/g, '?')
}

/** Returns the files of a package in which a controller finds nothing to apply. */
function filesForTools({ applied, local, strange, folder }: DeployedPackage): readonly string[] {
  const used = new Set(applied.map((object) => pathIn(folder, object)))
  return [...local.map((object) => pathIn(folder, object)), ...strange.keys()].filter((path) => !used.has(path))
}

function pathIn(folder: string, { file, packagePath }: KrmObject): string {
  const path = locate(file?.path ?? '', packagePath)
  return folder === '' ? path : path.slice(folder.length + 1)
}

/**
 * Returns a warning for each object that only tools read in a file with objects that Argo CD applies: a whole file is left out, or none.
 */
export function appliedLocalConfigs(deployments: readonly Deployment[]): readonly Result[] {
  const found = deployments.flatMap(({ contents }) =>
    contents.flatMap((content) => {
      if (content.isBuilt) return []
      const used = new Set(content.applied.map((object) => pathIn(content.folder, object)))
      const mixed = content.local.filter((object) => used.has(pathIn(content.folder, object)))
      return mixed.map((object) => ({ object, same: `${content.packageName} ${object.kind ?? ''} ${object.name ?? ''}` }))
    }),
  )
  return [...groupBy(found, ({ same }) => same).values()].map(([{ object }, ...others]): Result => {
    const more = others.length === 0 ? '' : `; so in ${countOf(others.length, 'other place')} of the fleet`
    return {
      severity: 'warning',
      message: `${object.kind ?? ''} '${object.name ?? ''}' is for tools on disk, in a file with objects for the cluster: Argo CD applies the whole file; move the object into a file of its own${more}`,
      resourceRef: object.ref,
      ...(object.file && { file: object.file, position: object.positionOf(['metadata', 'name']) }),
      tags: { rule: 'sync-local-config' },
    }
  })
}
