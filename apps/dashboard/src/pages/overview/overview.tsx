import { PageLayout } from '../../layout/page-layout.tsx'

export function Overview() {
  return <PageLayout title="Overview">Coming</PageLayout>
}
