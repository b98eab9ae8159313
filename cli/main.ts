import { optimizeLate } from '../src/v8-flags.ts'
import { processHost } from './host.ts'
import { krmVariants } from './krm-variants.ts'

/** Put into the bundle by the build (scripts/build.mjs). */
declare const PACKAGE_VERSION: string

optimizeLate()
process.exitCode = await krmVariants(process.argv.slice(2), processHost(PACKAGE_VERSION))
