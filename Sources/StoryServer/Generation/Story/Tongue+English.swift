extension Tongue {
  static let english = Tongue(
    tales: [
      .bedtime: Tale(
        titles: ["{name} Says Good Night to the Moon", "The Moon at {name}’s Window"],
        opening: [
          """
          The house had grown quiet, room by room. The kitchen was asleep, the stairs were asleep, \
          and only under the roof a small lamp was still awake. In the bed beneath the window lay \
          {name}, with the blanket up to the chin and both eyes wide open.
          """,
          """
          Outside, the last bird had stopped singing, and the street lamps came on one after the \
          other like a row of little yellow moons. Up in the room under the roof, {name} sat on the \
          edge of the bed and listened to the night arriving.
          """,
        ],
        wish: [
          """
          There was one thing that could not wait until morning: to say good night to the moon. It \
          had been there yesterday, round and kind above the chimney. “Just one little word,” \
          whispered {name}, “and then I can sleep.”
          """
        ],
        trouble: [
          """
          But tonight the sky was covered. One cloud lay on top of the other like pillows in a \
          cupboard, and not a single ray came through. On the windowsill sat a young owl that had \
          lost its way. “Without the moon I cannot find my tree,” it said, and its voice was very small.
          """
        ],
        help: [
          """
          So the little lamp was carried to the window, and its light fell on the garden like a \
          narrow path. Then {name} began to hum, slowly, the song that had always been sung in this \
          room. The owl turned its head. Far away another owl answered, once, twice, and now the \
          way home could be heard even in the dark.
          """
        ],
        end: [
          """
          The owl spread its wings and was gone, without a sound. And just then the clouds moved \
          apart, only a little, like a curtain that somebody opens with one finger. There was the \
          moon. “Good night,” said {name}, and it really seemed as if the moon nodded.
          """
        ]),
      .schoolDay: Tale(
        titles: ["{name} and the Flying Page", "A Windy Day at School for {name}"],
        opening: [
          """
          On this morning the school smelled of chalk, wet jackets and the apples in the big basket by \
          the door. The bell had rung already. In the third row, next to the window, sat {name}, with \
          a sheet of paper that had been folded and unfolded so often that it was soft as cloth.
          """
        ],
        wish: [
          """
          On the paper stood a poem. It had eight lines, and it had taken a whole week. Today it was \
          to be read aloud, in front of everybody, and nothing in the world mattered more to {name} \
          than to reach the last line without a stumble.
          """
        ],
        trouble: [
          """
          Then somebody opened the window. A gust of wind came in, looked around, took the page and \
          went out again. The poem sailed across the yard, turned a somersault and landed high in the \
          chestnut tree. The whole class ran to look. “It is gone,” said someone at the back.
          """
        ],
        help: [
          """
          “We need a broom, a chair and all of you,” said {name}. One held the chair, two held the \
          broom, and the smallest of all gave the directions, because from below one sees best. The \
          branch shook, the leaves rustled, and the page came down slowly, from hand to hand, as if it \
          wanted to greet each one of them.
          """
        ],
        end: [
          """
          Now it had a green stain in the shape of a leaf, and the class decided that this was the \
          ninth line. {name} read all the others, loud and clear, and nobody coughed. Afterwards the \
          poem was pinned to the wall, beside the window, which was firmly closed.
          """
        ]),
      .birthday: Tale(
        titles: [
          "{name} and the Party That Went Downstairs", "A Chair for Everyone: {name}’s Birthday",
        ],
        opening: [
          """
          The day began with a smell of vanilla. There were paper stars on the lamp, a cake that leaned \
          a little to one side, and a door that had to stay shut until everyone called “Now!”. Behind \
          that door, in socks, stood {name} and counted the seconds.
          """
        ],
        wish: [
          """
          Presents were good, and cake was better. But the real wish for this birthday was another \
          one: that all of them should sit around one table, the little cousins and the loud uncles, \
          and above all Grandfather, who knew the best stories.
          """
        ],
        trouble: [
          """
          At three o’clock the telephone rang. It was Grandfather, and he was standing down in the \
          hall. The lift was broken, and five floors were too many for his knees. “You celebrate up \
          there,” he said, “and I will wave from the street.” It became very still around the cake.
          """
        ],
        help: [
          """
          “If Grandfather cannot come to the party,” said {name}, “the party will go to Grandfather.” \
          Everybody took something: the chairs, the jug, the paper stars, the lemonade. Even the leaning cake \
          went down the stairs, step by step, with four people to guard it, and arrived in the yard \
          leaning to the other side.
          """
        ],
        end: [
          """
          The neighbours heard the singing and brought cups and a bench. In the end there were two \
          tables and still not enough room. Grandfather told the story of the goat on the tram, and \
          when the candles were blown out, {name} had nothing left to wish for.
          """
        ]),
      .weekend: Tale(
        titles: ["{name} and the Little Boat", "A Boat Named Saturday"],
        opening: [
          """
          Saturday lay ahead like a meadow without a fence. There was no bell and no bag to pack, only \
          a piece of wood, a ball of string and an old handkerchief with blue dots. By the time the \
          porridge was cold, {name} had turned all of it into a boat.
          """
        ],
        wish: [
          """
          It was a fine boat with a dotted sail. Now it was to travel down the brook, past the willow \
          and the three flat stones, as far as the wooden bridge. “All the way, and without any help,” \
          said {name} and set it gently on the water.
          """
        ],
        trouble: [
          """
          The first bend went well. At the second one the boat began to spin, and between the flat \
          stones it stuck fast. The water was too low there. A duck with five ducklings was standing \
          on the bank, and they could not get on either. They looked at the boat as if it were to blame.
          """
        ],
        help: [
          """
          Pebble by pebble a small wall grew across the shallow place, just high enough to make the water \
          wait. It took a long time, and {name}’s socks got wet up to the knees. Then the brook \
          rose by the width of a hand, lifted the boat over the stones, and the five ducklings rode \
          after it, one behind the other.
          """
        ],
        end: [
          """
          At the bridge everybody arrived at the same moment: the boat, the ducks, and {name}, out of \
          breath from running along the bank. The little wall was taken away again, so that the brook \
          could go where it wanted. On the way home the sail dried in the evening wind.
          """
        ]),
      .rainyDay: Tale(
        titles: ["{name} and the Street That Became a Lake", "Where the Rain Goes"],
        opening: [
          """
          It had been raining since breakfast. The rain drummed on the roof, it whispered in the \
          gutter, and on the window pane the drops held races that nobody won. With a nose against the \
          glass, {name} watched the street turn from grey to silver.
          """
        ],
        wish: [
          """
          Where does all that water go? Nobody at the table had known a good answer. So the yellow \
          boots were fetched, and the big umbrella with the bent rib, for {name} wanted to follow the \
          rain to its very end.
          """
        ],
        trouble: [
          """
          The trail led along the kerb, past the bakery, round the corner. And there it stopped. The \
          water had become a lake, and the lake was growing towards the door of old Mrs Linden, who \
          stood behind it with a mop and did not know where to begin. “It comes faster than I can wipe,” \
          she called.
          """
        ],
        help: [
          """
          The end of the rain was easy to find now: it was an iron grate, and on it lay half the leaves of \
          the autumn. With a rake from the shed and with both hands {name} pulled them away, a heap, and \
          another heap. All at once there was a gurgle, deep and content, and the lake began to turn \
          and to sink.
          """
        ],
        end: [
          """
          Behind the door there was cocoa afterwards, and a towel warm from the stove. Mrs Linden told \
          of the pipes under the town, of the river, and of the sea at the end of everything. “So that \
          is where it goes,” said {name}, and outside the rain sounded like applause.
          """
        ]),
      .family: Tale(
        titles: ["{name} and the Picture of Everybody", "Everyone, Please Hold Still"],
        opening: [
          """
          On Sunday they all came together: the aunts with the cake tins, the uncle with the accordion, \
          the twins who never sat still, and the baby with its one tooth. The house hummed like a \
          beehive. In the middle of it stood {name}, with the old camera on a string.
          """
        ],
        wish: [
          """
          Above the sofa hung many pictures, but on every one of them somebody was missing. Today, at \
          last, there was to be one with everybody on it. {name} had even chosen the place: under the \
          apple tree, where the light was soft.
          """
        ],
        trouble: [
          """
          It was like catching sparrows. When the twins were there, the uncle was tuning his accordion. \
          When the uncle came, the aunts were quarrelling about the right amount of sugar. The baby \
          began to cry, then one of the twins, and a cloud pushed itself in front of the sun. “Let us \
          leave it,” someone sighed.
          """
        ],
        help: [
          """
          Instead of calling once more, {name} sat down in the grass and began, very softly, the song \
          about the seven geese. Every one in this family knew it. The accordion joined in, then \
          the aunts, in two voices. The twins came to be the geese, and the baby forgot its tears and \
          beat time with a spoon.
          """
        ],
        end: [
          """
          At the last verse the camera clicked. The picture turned out a little crooked, one goose had \
          moved, and the spoon was only a bright streak. But nobody was missing. It has the best place \
          above the sofa now, and whoever looks at it begins to hum, {name} first of all.
          """
        ]),
      .friendship: Tale(
        titles: ["{name} and the Girl Next Door", "A Street Drawn in Chalk"],
        opening: [
          """
          For weeks the house next door had stood empty. Now there were boxes on the pavement, a blue \
          bicycle, and a cage with two green birds. On the steps sat a girl named Noor. Over the hedge, \
          between two leaves, looked {name}.
          """
        ],
        wish: [
          """
          It is hard to be the only child in a street. How fine it would be to have somebody for hopscotch, \
          for secrets and for rainy afternoons! “Today I will simply go over,” said {name}, and took the \
          red ball along, because a ball makes beginnings easier.
          """
        ],
        trouble: [
          """
          But Noor did not understand a word. She spoke another language, quick and round like pebbles in \
          a stream. When the ball rolled to her, she thought that it was a present and carried it \
          into the house. The door closed. There stood {name}, without a ball and without a friend.
          """
        ],
        help: [
          """
          In a trouser pocket there was still a piece of chalk. On the pavement {name} drew a house, and \
          then a second one, and between them two children with a ball. The door opened a little. Noor \
          came out, looked, laughed, and took the chalk. Beside the houses she drew the birds, a sea, and \
          a ship from far away.
          """
        ],
        end: [
          """
          By evening the whole street was full of pictures. Both of them had learned six words of the \
          other’s language, and the finest of them meant “tomorrow”. The red ball lay between the two \
          doors, exactly in the middle, so that {name} and Noor would both find it there.
          """
        ]),
      .learning: Tale(
        titles: ["{name} and the Bicycle", "As Far as the Linden Tree"],
        opening: [
          """
          The bicycle was green, and it had a bell that sounded like a cheerful frog. It had leaned \
          against the wall since the spring. The two small wheels at the back had been taken off that \
          morning, and now it seemed taller than before. {name} walked around it three times.
          """
        ],
        wish: [
          """
          At the end of the lane stood a linden tree. The big children raced there, touched the bark \
          and raced back. To ride as far as that tree, alone and without a hand at the saddle, that was what {name} \
          had dreamed of all week.
          """
        ],
        trouble: [
          """
          The first try ended in the hedge. The second ended in the grass, and the third beside a \
          very surprised cat. One knee was burning, the handlebar was crooked, and from the garden gate came a \
          giggle. Perhaps some people simply cannot learn it? The tree looked as far away as the moon.
          """
        ],
        help: [
          """
          Not the whole way at once, then, but only to the letter box. And after that only to the \
          bench. Look ahead, not down! With every turn of the pedals {name} counted aloud, five, and \
          nine, and fourteen, and somewhere behind twenty the bicycle stopped wobbling, as if it had \
          understood what was wanted.
          """
        ],
        end: [
          """
          The bark of the linden was rough and warm. For a while {name} just stood there with one hand on \
          it and listened to the bees. On the way back the frog bell rang the whole time, and even the cat \
          moved politely aside. The knee had stopped hurting long ago.
          """
        ]),
      .helping: Tale(
        titles: ["{name} and the Cat on the Roof", "A Plank, a Bowl and a Little Time"],
        opening: [
          """
          In the house at the corner lived Mr Bruno, who was old and walked with two sticks, and his cat \
          Minka, who was young and walked wherever she liked. Every afternoon they sat on the bench \
          together. When {name} came by today, only one of them was there.
          """
        ],
        wish: [
          """
          “Minka has been away since last night,” said Mr Bruno, and stroked the empty place beside him. \
          There was no need to think about it for long. “I will find her,” said {name}, and nothing on \
          that afternoon seemed more important.
          """
        ],
        trouble: [
          """
          She was not under the hedge and not in the cellar. At last a thin sound came from above: on the \
          roof of the shed, quite at the edge, sat Minka and trembled. A dog had chased her up there. She \
          had forgotten how to come down, and each time somebody called, she crept back a little further.
          """
        ],
        help: [
          """
          Climbing was not allowed, and calling made it worse. So {name} leaned a long plank against the \
          roof, put a bowl of milk at its foot, and sat down beside it with a book. Page after page was \
          read aloud, calmly, as if there were no cat in the world. After the fourth page, two paws were \
          on the plank.
          """
        ],
        end: [
          """
          Minka drank the milk to the last drop. Then she let herself be carried home, purring like \
          a small engine. Mr Bruno said nothing at all, he only moved over on the bench. There was room \
          for three, and {name} stayed until the first star came out.
          """
        ]),
      .holiday: Tale(
        titles: ["{name} and the Crab with One Claw", "The Shell That Knew the Sea"],
        opening: [
          """
          After the last hill there it was, the sea, bigger than on all the photographs. It smelled of \
          salt and of far away. The suitcases had hardly been set down when {name} stood with bare feet \
          at the very place where the sand turns dark.
          """
        ],
        wish: [
          """
          At home somebody had told of shells in which the sea keeps on roaring, even in a room, even in \
          winter. Such a shell was to be found, today, before the sun went down. Step by step {name} searched \
          the long line of foam.
          """
        ],
        trouble: [
          """
          Among the stones lay the most beautiful shell of all, striped like a sweet. But as soon as a hand \
          reached for it, it walked away. A small crab with one claw was living in it! The tide had left it \
          behind in a hollow, and the water in there was growing warm and less and less.
          """
        ],
        help: [
          """
          With both hands and a toy spade {name} dug a channel from the hollow down to the sea. Twice the \
          sand slipped back, and twice it was dug again, deeper. Then the first wave found the way in. \
          The crab waited, lifted its claw as if it wanted to wave, and let the water carry it out.
          """
        ],
        end: [
          """
          Where the crab had been sitting, another shell remained, a plain grey one and empty. It was not \
          striped at all. But when {name} held it to one ear, there was a roar in it, soft and endless. It \
          went home in the suitcase, wrapped in a sock.
          """
        ]),
    ],
    own: Tale(
      titles: ["{name} and “{event}”", "“{event}”, a Story about {name}"],
      opening: [
        """
        Some days look like all the others when they begin. The bread is on the table, the clock ticks, \
        and somewhere a door closes. Such a morning it was, and yet {name} knew at once that this was \
        going to be the day that is called “{event}”.
        """
      ],
      wish: [
        """
        It all began with a thought, and the thought went like this: “{seed}” Whoever carries such a thought \
        around cannot sit still. So {name} put on both shoes, the left one first, and set out to see \
        what would come of it. The story was to be “{tone}”, that much was certain.
        """
      ],
      trouble: [
        """
        At first everything went as if by itself. But half way there the path came to an end, quite without \
        a sign. In front lay a thicket of questions, and nobody was to be seen who could have \
        answered them. To turn back would have been easy. A small bird on a post tilted its head, as \
        if it was waiting for a decision.
        """
      ],
      help: [
        """
        “One thing after the other,” said {name} to the bird. The biggest question was cut into \
        small ones, and the small ones were not frightening any more. One was solved by looking closely, one by \
        asking politely, and the last one by laughing about it. Behind them lay the path, just as \
        it had been before.
        """
      ],
      end: [
        """
        In the evening there was much to tell at the table. “{event}” had become a day to remember, a little \
        different from what had been planned, and better. The bird from the post was sitting on the \
        windowsill by then, and {name} left the window open by the width of a hand.
        """
      ]),
    keywords: "In the notebook for this day stood only a few words: {keywords}.",
    hero: [
      "People who met {name} soon noticed {having}.",
      "Anyone who spent a day with {name} found {having} there.",
      "If you looked for {having}, {name} was the right one to ask.",
    ],
    age:
      "At the age of {age}, one already knows a few things and still wonders about all the others.",
    words: "Friends had their own words for it: {words}.",
    gift: [
      "And there was something else, written in one line on the first page of a diary: “{gift}”.",
      "Besides, there was a special gift that not everybody knew of: “{gift}”.",
      "One secret belonged to it as well, and it was short: “{gift}”.",
    ],
    turn: [
      """
      For a moment there was nothing to be heard but a heartbeat. {name} took a deep breath, and then \
      another one. If anything could help now, it was {trait}.
      """,
      """
      {name} closed both eyes and counted slowly to three. At one there was only worry, at two there was \
      an idea, and at three there was {trait} again, like a warm hand on the shoulder.
      """,
      """
      Somebody else might have given up now. But {name} stayed and looked at the matter once more, \
      from all sides. It was {trait} that made the difference.
      """,
    ],
    giftTurn: [
      "And was there not that line, “{gift}”? On days like this one, it is good to remember such a thing.",
      "What were the words for that gift? “{gift}”. There could be no better moment for it.",
      "Quietly the special gift made itself felt as well, and everything became a little lighter.",
    ],
    close: [
      """
      Later the light went out, and the night put its soft blanket over the roofs. Everything that had to \
      be done was done. Sleep well, {name}, and sleep well, everybody who has listened.
      """,
      """
      When at last the window was dark, a smile was still lying on the pillow. Tomorrow would be another \
      day. But this one was complete, and {name} was already dreaming.
      """,
      """
      So the day came to its end, slowly, like a leaf that floats to the ground. The stars took over the \
      watch. And {name}? Deep in the pillows, warm and without a care, until the morning.
      """,
    ],
    nouns: nouns([
      ("a good heart", "a good heart"), ("courage", "courage"), ("curiosity", "curiosity"),
      ("kindness", "kindness"), ("patience", "patience"),
      ("a sense of humour", "a sense of humour"),
      ("imagination", "imagination"), ("a quick mind", "a quick mind"),
      ("a calm voice", "a calm voice"),
      ("cheerfulness", "cheerfulness"), ("perseverance", "perseverance"),
      ("generosity", "generosity"),
      ("a love of adventure", "a love of adventure"), ("honesty", "honesty"),
    ]),
    quotes: ("“", "”"), and: " and ")

  static func nouns(_ forms: [(having: String, subject: String)]) -> [Noun] {
    zip(traitWords, forms).map { Noun(words: $0, having: $1.having, subject: $1.subject) }
  }
}
