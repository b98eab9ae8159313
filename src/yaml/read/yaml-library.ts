import * as yaml from 'yaml'

/**
 * The full YAML parser. Loading it takes longer than reading an ordinary list, so the build makes this call load it
 * (scripts/build.mjs): a run that never meets unusual YAML does not pay for it.
 */
export function yamlLibrary(): typeof yaml {
  return yaml
}
