import type { FieldPath } from '../../src/field-path.ts'
import { addressFault, printAddress } from '../../src/package/git-address.ts'
import { isRefName, REF_RULE } from '../../src/package/git-names.ts'
import { OutsideError, placeInside } from '../../src/package/inside-folder.ts'
import type { RenderOptions, RevisionOptions } from '../../src/render/options.ts'
import { bareFolder } from '../../src/render/source/origin.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'

/** Returns an error for each address of a repository, and each name of a revision, that git must not be given. */
export function repositoryFaults(config: KrmObject, { repositories }: Pick<RenderOptions, 'repositories'>): readonly Result[] {
  const fault = (rule: string, path: FieldPath, message: string): Result =>
    faultToResult(config, { severity: 'error', rule, path: ['spec', 'repositories', ...path], message })
  return [...repositories].flatMap(([name, { git, revisions, tags }]) => {
    const address = git === undefined ? undefined : addressFault(git.repo)
    const names = [
      ...[...revisions].flatMap(([revision, options]) =>
        NAMES.flatMap((field) => ({ path: [name, 'revisions', revision, field], value: options[field] ?? 'v1' })),
      ),
      ...[...tags].map(([tag, value]) => ({ path: [name, 'tags', tag], value })),
    ]
    return [
      ...(address === undefined ? [] : [withoutSecret(fault('repository-address', [name, 'git', 'repo'], address))]),
      ...names
        .filter(({ value }) => !isRefName(value))
        .map(({ path, value }) =>
          fault('revision-name', path, `must be a name that git allows for a ref, ${REF_RULE}, got ${quoteText(value)}`),
        ),
    ]
  })
}

/** A result repeats the value of its field. */
function withoutSecret({ field, ...result }: Result): Result {
  const value = field?.currentValue
  return { ...result, ...(field && { field: { ...field, ...(typeof value === 'string' && { currentValue: printAddress(value) }) } }) }
}

const NAMES = ['ref', 'resolvedRef', 'commit'] as const satisfies readonly (keyof RevisionOptions)[]

/** Returns an error for each folder of the options that is outside of the fleet, which the options are a part of. @param dir  the fleet */
export function outsideFaults(config: KrmObject, { repositories, out }: RenderOptions, dir: string): readonly Result[] {
  const folders = [...repositories].flatMap(([name, { path, revisions }]) => [
    { field: ['spec', 'repositories', name, 'path'], folder: path === undefined ? undefined : bareFolder(path) },
    ...[...revisions].map(([revision, options]) => ({
      field: ['spec', 'repositories', name, 'revisions', revision, 'path'],
      folder: options.path,
    })),
  ])
  const fields = [...folders, { field: [config.kind === 'ConfigMap' ? 'data' : 'spec', 'out'], folder: out }]
  return fields.flatMap(({ field, folder }) => {
    const place = folder === undefined ? undefined : outsideReason(dir, folder)
    if (place === undefined) return []
    const message = `must be a folder of the fleet, ${place}; --allow-outside allows it`
    return [faultToResult(config, { severity: 'error', rule: 'outside-fleet', path: field, message })]
  })
}

function outsideReason(dir: string, path: string): string | undefined {
  try {
    placeInside(dir, path)
    return undefined
  } catch (error) {
    if (error instanceof OutsideError) return error.message
    throw error
  }
}
