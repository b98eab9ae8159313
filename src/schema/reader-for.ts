import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { quoteNames, quoteText } from './describe-value.ts'
import { faultToResult } from './fault.ts'

/**
 * The reader for the kind of a functionConfig.
 *
 * @param readers by kind: all that a function takes
 * @param whose   the function, as the message names it
 * @throws FunctionError when it is of no such kind
 */
export function readerFor<Reader>(config: KrmObject, readers: Readonly<Record<string, Reader>>, whose = 'this function'): Reader {
  const { kind = '' } = config
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (reader !== undefined) return reader
  const message = `must be one of ${quoteNames(Object.keys(readers))} in a functionConfig of ${whose}, got ${quoteText(kind)}`
  throw new FunctionError([faultToResult(config, { severity: 'error', rule: 'function-config', path: ['kind'], message })])
}
