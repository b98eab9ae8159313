import { processHost } from './host.ts'
import { krmVariants } from './krm-variants.ts'

/** Put into the bundle by the build (scripts/bundle.mjs). */
declare const PACKAGE_VERSION: string

// A program of its own too: dist/krm-variants/tool.mjs is the tool in one file.
process.exitCode = await krmVariants(process.argv.slice(2), processHost(PACKAGE_VERSION))
