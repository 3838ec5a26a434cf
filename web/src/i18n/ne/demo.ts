import type { texts as en } from '../en/demo.ts'

export const texts: typeof en = {
  simulator: (times) =>
    `कुनै फोन बज्दैन: नेटवर्क कृत्रिम हो, ${times === '1' || times === '१' ? 'वास्तविक जत्तिकै छिटो' : `वास्तविकभन्दा ${times} गुणा छिटो`}।`,
  simulatorMore: 'शुल्क कृत्रिम अवधिअनुसार लाग्छ।',
  virtualOperator: 'कुनै फोन बज्दैन: कलहरू SIP मार्फत यही मेसिनको कृत्रिम अपरेटरमा जान्छन्।',
  virtualOperatorMore: 'दुई कलबीचको प्रतीक्षा छोटो पारिएको छ।',
}
