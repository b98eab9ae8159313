import { KPTFILE_SCHEMA } from '../kinds/kptfile-schema.ts'
import { readKptfileUpstream } from '../kinds/kptfile-upstream.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf } from '../resource-list/package-of.ts'
import { findingsOf, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { validate } from '../schema/validate.ts'
import { configFiles, functionFaults } from './pipeline-function.ts'

const CHECKED_API = 'kpt.dev/v1'

/**
 * Returns the faults that kpt would report for the Kptfiles among the items: those of their pipelines, `upstream` and `upstreamLock`.
 *
 * @param items  the items of a folder, subpackages included
 */
export function checkKptfiles(items: readonly KrmObject[]): readonly Result[] {
  const paths = items.flatMap(({ file }) => file?.path ?? [])
  const kptfiles = items.filter(({ kind, apiVersion, file }) => kind === 'Kptfile' && apiVersion === CHECKED_API && file !== undefined)
  return kptfiles.flatMap((kptfile) => findingsOf(() => checkKptfile(kptfile, paths)))
}

function checkKptfile(kptfile: KrmObject, paths: readonly string[]): readonly Result[] {
  const folder = folderOf(kptfile.file?.path ?? '')
  const below = folder === '' ? '' : `${folder}/`
  const files = configFiles(() => paths.filter((path) => path.startsWith(below)).map((path) => path.slice(below.length)))
  const results = validate(kptfile, {
    schema: KPTFILE_SCHEMA,
    rules: ({ pipeline = {} }) =>
      (['mutators', 'validators'] as const).flatMap((stage) =>
        (pipeline[stage] ?? []).flatMap((fn, index) => functionFaults(fn, ['pipeline', stage, index], files)),
      ),
  })
  return [...results, ...readKptfileUpstream(kptfile).faults.map((fault) => faultToResult(kptfile, fault))]
}
