import { SERVICE_LABELS, type Service } from '@clinic/domain';

export const serviceWords = (service: Service): string => SERVICE_LABELS[service];
