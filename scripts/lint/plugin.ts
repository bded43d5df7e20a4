import { noExportAll } from './no-export-all.ts'
import { tellingFileNames } from './telling-file-names.ts'
import { titlesWithSubject } from './titles-with-subject.ts'

/** Rules that oxlint does not have. It requires a default export. */
export default {
  meta: { name: 'fairlead' },
  rules: {
    'no-export-all': noExportAll,
    'telling-file-names': tellingFileNames,
    'titles-with-subject': titlesWithSubject,
  },
}
