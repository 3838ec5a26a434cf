// prettier-ignore
const words = (
  'acorn amber anchor apple april arrow autumn bacon badge bamboo banana basil basket beacon beetle bench berry bishop blanket blossom ' +
  'bonfire border bottle bridge bronze bucket butter button cabin cactus camel candle canoe canvas carbon carpet carrot castle cedar ' +
  'cement chapel cherry circle citrus clover cobalt coconut coffee comet copper coral corner cotton crane cricket crystal cuckoo curtain ' +
  'cushion cymbal daisy dancer desert diamond dolphin donkey dragon drawer drum eagle earth elbow ember emerald engine falcon feather ' +
  'fiddle field flame flute forest fossil fountain galaxy garden garlic garnet ginger giraffe glacier globe goblet granite grape gravel ' +
  'guitar hammer harbor harvest hazel helmet heron hockey hollow honey horizon hornet island ivory jacket jasmine jelly jewel jigsaw ' +
  'jungle kettle kitchen kitten ladder lagoon lantern lemon lentil library lichen linen lizard lobster locket lotus lumber magnet mango ' +
  'maple marble market meadow melon meteor mirror mitten monsoon mosaic mountain muffin mustard nectar needle nickel nutmeg oasis ocean ' +
  'olive onion orange orchid otter oyster paddle pagoda panda papaya parrot pasture peacock pearl pebble pencil pepper piano pigeon ' +
  'pillow pilot pine planet plum pocket pony poppy potato prairie prism puddle pumpkin puppet puzzle quartz quiver rabbit radish rainbow ' +
  'ribbon river robin rocket rooster saddle saffron salmon sandal satin saucer scarf shadow shovel silver sparrow spinach spiral sponge ' +
  'squirrel stable station summer sunset swallow tailor teapot temple thimble thunder tiger timber tomato topaz tractor trumpet tulip ' +
  'tunnel turnip turtle valley vanilla velvet village violin walnut willow window winter wizard yellow yogurt zebra zephyr'
).split(' ')

const wordsInPhrase = 5

/** Words that can be told over the telephone; some 40 bits, for an account whose sign-ins are limited. */
export function newPassPhrase(): string {
  return Array.from({ length: wordsInPhrase }, () => words[below(words.length)] ?? '').join(' ')
}

/** Each number is equally likely: values above the last whole multiple are drawn again. */
function below(limit: number): number {
  const most = 2 ** 32 - (2 ** 32 % limit)
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn < most ? drawn % limit : below(limit)
}
