import { syncOptionFaults } from '../../functions/generate-sync/function-config.ts'
import { scalarText } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError } from '../../src/result.ts'
import { SYNC_SYSTEMS, type SyncSystem } from '../../src/sync/options.ts'
import { OWN_API } from '../../src/well-known.ts'
import { printJson } from '../print/print-value.ts'
import { UsageError } from '../usage-error.ts'

/** Returns true for the name of a system. */
export function isSystem(text: string | undefined): text is SyncSystem {
  return SYNC_SYSTEMS.some((system) => system === text)
}

/**
 * Returns the options: of a file or of the Kptfile, else the only GenerateSync of the folder for the system, else none but the system.
 *
 * @throws UsageError when no options, or several, are meant; FunctionError with the faults of a misspelt system
 */
export function syncConfig({ items, functionConfig }: ResourceList, system: string | undefined): KrmObject {
  const systemOf = (config: KrmObject) => scalarText(config.get(['spec', 'for']))
  if (functionConfig !== undefined) {
    const own = systemOf(functionConfig)
    // What is no system is a fault of the options, in whose file it is.
    if (system === undefined || own === system || !isSystem(own)) return functionConfig
    throw new UsageError(`\`--for ${system}\` must be the system of the options, '${own}'`)
  }
  const all = items.filter(({ kind }) => kind === 'GenerateSync')
  const [only, ...others] = system === undefined ? all : all.filter((config) => systemOf(config) === system)
  if (others.length > 0) throw new UsageError(`the folder has ${others.length + 1} GenerateSyncs: choose one with --for or --config`)
  if (only !== undefined) return only
  if (system === undefined) throw new UsageError('`--for` must name flux, argocd or config-sync: the folder has no GenerateSync')
  // A GenerateSync whose `for` is misspelt is meant: the default options would be others.
  const unclear = all.filter((config) => !isSystem(systemOf(config)))
  if (unclear.length > 0) throw new FunctionError(unclear.flatMap(syncOptionFaults))
  const written = { apiVersion: OWN_API, kind: 'GenerateSync', metadata: { name: system }, spec: { for: system } }
  return KrmObject.fromDocument(printJson(written))
}
