import module from 'node:module'
import { isAbsolute, join } from 'node:path'

/** Node 22.1 and newer keep compiled code. */
const node: { readonly enableCompileCache?: (folder: string) => unknown; readonly builtinModules: unknown } = module
const { XDG_CACHE_HOME, HOME = '' } = process.env
const cache = XDG_CACHE_HOME || join(HOME, '.cache')
// Only in the user's own folder: compiled code in a folder of others, such as the temporary one, would be theirs.
if (isAbsolute(cache)) node.enableCompileCache?.(join(cache, 'krm-variants/code'))

await import('./tool.ts')
