import { processHost } from './host.ts'
import { krmVariants } from './krm-variants.ts'

process.exitCode = await krmVariants(process.argv.slice(2), processHost())
