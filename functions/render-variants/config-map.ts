import { DELETION_LIMIT_TEXT } from '../../src/fleet/deletion-limit.ts'
import { UPDATE_STRATEGIES } from '../../src/kinds/kptfile-upstream.ts'
import { CLONE_FLAVOURS } from '../../src/render/clone/flavour.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import type { OptionFields } from './schema.ts'

const OPTIONS: TextOptions<Omit<OptionFields, 'repositories'>> = {
  clone: oneOf(...CLONE_FLAVOURS),
  updateStrategy: oneOf(...UPDATE_STRATEGIES),
  out: { allowed: 'a folder', read: (text) => text },
  followRenames: TRUE_OR_FALSE,
  discardEdits: TRUE_OR_FALSE,
  allowMoved: TRUE_OR_FALSE,
  fleet: { allowed: 'the name of the fleet', read: (text) => text },
  allowEmpty: TRUE_OR_FALSE,
  maxDeletions: DELETION_LIMIT_TEXT,
  status: TRUE_OR_FALSE,
}

/**
 * The options in a ConfigMap: all but what is known of repositories.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptionsMap(config: KrmObject): OptionFields {
  return readTextOptions(config, 'render-variants', OPTIONS)
}
